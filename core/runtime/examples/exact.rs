/// Gives numbers from 1 on, and exact IDs, as a test wants them.
fn main() -> snowmint::Result<()> {
    // --8<-- [start:exact]
    use snowmint::engine::{Lane, Pace, Snowflake};
    use snowmint::{Layout, Mint, Segment};

    let orders = Segment::open("segment+memory:orders_begin_at_1?tag=orders")?;
    assert_eq!(orders.next_id()?, 1);

    let lane = Lane::of_worker(378);
    let mut machine = Snowflake::new(Layout::TWITTER, lane, Pace::default()).unwrap();
    assert_eq!(machine.next_id(1_656_432_460_105).unwrap(), 1_541_815_603_606_036_480);
    // --8<-- [end:exact]
    Ok(())
}
