// --8<-- [start:lazy]
use std::sync::LazyLock;

use snowmint::{LazySource, Mint};

static IDS: LazyLock<LazySource> = LazyLock::new(|| {
    snowmint::lazy("snowflake+sqlite:ids.db?create=true").expect("a URL that snowmint knows")
});

/// Opens a source at its first use.
fn main() -> snowmint::Result<()> {
    IDS.get()?; // opens it now, for example when a server starts
    println!("{}", IDS.next_id()?);
    Ok(())
}
// --8<-- [end:lazy]
