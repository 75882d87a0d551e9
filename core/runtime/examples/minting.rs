use std::time::Duration;

use snowmint::{Mint, Snowflake, WorkerId};

/// Takes IDs in each of the ways that there are.
fn main() -> snowmint::Result<()> {
    // --8<-- [start:minting]
    let flake = Snowflake::open("snowflake+sqlite:ids.db?create=true")?;
    let id = flake.next_id()?; // waits up to 5 s
    let next = flake.next_id_within(Duration::from_millis(50))?;
    let at_hand = flake.try_next_id(); // never waits
    let mut ids = [0; 1000];
    flake.fill(&mut ids)?;
    assert!(id < next && at_hand.is_none_or(|it| it > next) && ids[0] > next);
    // --8<-- [end:minting]
    // --8<-- [start:task]
    let as_a_task = async { flake.next_id_async().await };
    // --8<-- [end:task]
    assert!(pollster::block_on(as_a_task)? > ids[999]);
    // --8<-- [start:builder]
    let orders =
        Snowflake::builder().worker_id(WorkerId::Fixed(7)).wait(Duration::from_secs(1)).open()?;
    // --8<-- [end:builder]
    orders.close()
}
