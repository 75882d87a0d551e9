//! Opens a source, mints an ID and reads it.

fn main() -> snowmint::Result<()> {
    // --8<-- [start:mint]
    use snowmint::{Layout, Mint};

    let flake = snowmint::open("snowflake+sqlite:/tmp/ids.db?create=true")?;
    let id = flake.next_id()?;
    let parts = Layout::TWITTER.decode(id)?;
    println!("{id} was minted by worker {} at {}", parts.worker_id, parts.unix_ms);
    flake.close()?;
    // --8<-- [end:mint]
    Ok(())
}
