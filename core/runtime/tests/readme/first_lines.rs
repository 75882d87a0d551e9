use snowmint::Mint; // the calls of every source

fn main() -> snowmint::Result<()> {
    // `snowmint migrate sqlite:/var/lib/shop/ids.db` made it: one file is one key space.
    let flake = snowmint::open("snowflake+sqlite:/var/lib/shop/ids.db")?;
    let id = flake.next_id()?;
    let parts = snowmint::Layout::TWITTER.decode(id)?;
    println!("{id} was minted by worker {} at {}", parts.worker_id, parts.unix_ms);
    flake.close()
}
