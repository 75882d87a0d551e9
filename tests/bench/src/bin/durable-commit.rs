//! Makes one durable commit to an SQLite file and ends: what `snowmint id` is compared with.

use rusqlite::Connection;

fn main() -> rusqlite::Result<()> {
    let path = std::env::args().nth(1).expect("the path of a database");
    if path == "--nothing" {
        return Ok(());
    }
    let database = Connection::open(path)?;
    // As the runtime's store: durable, the file's name included.
    database.pragma_update(None, "journal_mode", "delete")?;
    database.pragma_update(None, "synchronous", "extra")?;
    database.execute_batch(
        "BEGIN IMMEDIATE;
         CREATE TABLE IF NOT EXISTS counter (number INTEGER NOT NULL);
         INSERT INTO counter SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM counter);
         UPDATE counter SET number = number + 1;
         COMMIT;",
    )?;
    let number: i64 = database.query_row("SELECT number FROM counter", [], |row| row.get(0))?;
    println!("{number}");
    Ok(())
}
