use snowmint::{Code, Mint};

/// Meets an error, and reads its code.
fn main() -> snowmint::Result<()> {
    // --8<-- [start:errors]
    let source = snowmint::open("uuid:?version=7")?;
    let error = source.next_id().unwrap_err();
    assert_eq!(error.code(), Code::Unsupported);
    assert!(!error.is_transient());
    // --8<-- [end:errors]
    Ok(())
}
