fn main() -> snowmint::Result<()> {
    // One file is one key space, for one machine.
    let flake = snowmint::open("snowflake+sqlite:ids.db?create=true")?;
    let id = flake.next_id()?;
    let parts = snowmint::Layout::TWITTER.decode(id)?;
    println!("{id} was minted by worker {} at {}", parts.worker_id, parts.unix_ms);
    flake.close()
}
