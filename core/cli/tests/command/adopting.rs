//! `adopt`: what gives numbers already, and a start above it.

use serde_json::Value;

use crate::User;
#[cfg(unix)]
use crate::recovering::Server;

fn objects(printed: &str) -> Vec<Value> {
    printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A user with tags in two files.
fn user() -> User {
    let user = User::new();
    user.run(&["migrate", "a.db"]).done();
    user.run(&["migrate", "b.db"]).done();
    user.run(&["segment", "create", "a.db", "orders", "--start", "500", "--step", "7"]).done();
    user.run(&["segment", "create", "a.db", "bills", "--start", "3"]).done();
    user.run(&["segment", "create", "b.db", "orders", "--start", "900"]).done();
    user
}

#[test]
fn a_listing_names_all_that_gives_numbers_and_changes_nothing() {
    let user = user();
    let found = objects(&user.run(&["adopt", "a.db", "b.db", "--json"]).done());
    let of = |at: usize, key: &str| found[at][key].as_str().unwrap().to_owned();
    assert_eq!(found.len(), 3);
    assert_eq!(
        (of(0, "tag"), of(0, "next"), of(0, "of")),
        ("bills".into(), "3".into(), "snowmint".into())
    );
    assert_eq!((of(1, "database"), of(1, "next")), ("a.db".into(), "500".into()));
    assert_eq!((of(2, "database"), of(2, "next")), ("b.db".into(), "900".into()));
    let one = user.run(&["adopt", "a.db", "--tag", "bills"]).done();
    assert!(one.contains("bills") && !one.contains("orders"), "{one}");
    let column =
        user.run(&["adopt", "a.db", "--from", "snowmint_segment.step", "--tag", "none", "--json"]);
    let column = objects(&column.done());
    assert_eq!((column.len(), column[0]["largest"].as_str()), (1, Some("1000")));
}

#[test]
fn tags_start_above_everything_of_their_name() {
    let user = user();
    user.run(&["migrate", "c.db"]).done();
    let adopt = ["adopt", "a.db", "b.db", "--into", "c.db", "--json"];
    for _ in 0..2 {
        let rows = objects(&user.run(&adopt).done());
        let tags: Vec<_> = rows
            .iter()
            .map(|row| {
                (
                    row["tag"].as_str().unwrap(),
                    row["next"].as_str().unwrap(),
                    row["step"].as_u64().unwrap(),
                )
            })
            .collect();
        assert_eq!(tags, [("bills", "3", 1000), ("orders", "900", 1000)]);
    }
    // A column belongs to a tag that is named, or to the only one.
    let from = ["--from", "snowmint_segment.updated_ms"];
    user.run(&[&adopt[..], &from].concat()).refused(2, "name it by --tag");
    let named = [&adopt[..], &from, &["--tag", "orders"]].concat();
    let rows = objects(&user.run(&named).done());
    let next: u64 = rows[0]["next"].as_str().unwrap().parse().unwrap();
    assert!(next > 1_700_000_000_000, "{rows:?}");
    assert_eq!(rows.len(), 1);
    // One that is above is left as it is.
    let rows = objects(&user.run(&adopt).done());
    assert_eq!(rows[1]["next"].as_str().unwrap(), next.to_string());
}

#[test]
fn a_missing_tag_or_file_is_named() {
    let user = user();
    user.run(&["adopt", "a.db", "--tag", "nope"])
        .refused(2, "nothing there gives numbers of a tag nope");
    user.run(&["adopt", "missing.db"]).refused(4, "there is no file missing.db");
    for command in
        [&["adopt", "missing.db"][..], &["worker", "list"], &["segment", "list", "no.db"]]
    {
        let refused = user.run(command);
        assert!(!refused.stderr.contains("create=true"), "{refused:?}");
        refused.refused(4, "`snowmint id`");
    }
}

#[test]
fn an_applications_file_is_read_and_left_as_it_is() {
    let user = user();
    let shop = rusqlite::Connection::open(user.path("shop.db")).unwrap();
    shop.execute_batch("CREATE TABLE orders (id INTEGER); INSERT INTO orders VALUES (7), (4711)")
        .unwrap();
    let content = || std::fs::read(user.path("shop.db")).unwrap();
    let before = content();
    let from = ["adopt", "shop.db", "--from", "orders.id", "--json"];
    let column = objects(&user.run(&from).done());
    assert_eq!((column.len(), column[0]["largest"].as_str()), (1, Some("4711")));
    user.run(&[&from[..], &["--check"]].concat()).refused(2, "name it by --tag");
    let checked = user.run(&[&from[..], &["--check", "--tag", "orders"]].concat());
    checked.refused(2, "nothing to compare orders.id with");
    let into = ["--tag", "orders", "--into", "b.db"];
    let rows = objects(&user.run(&[&from[..], &into].concat()).done());
    assert_eq!((rows.len(), rows[0]["next"].as_str()), (1, Some("4712")));
    let unnamed = user.run(&["adopt", "shop.db"]);
    assert!(unnamed.stderr.ends_with("as `--from orders.id`\n"), "{unnamed:?}");
    unnamed.refused(4, "name its columns of IDs");
    let nowhere = ["--tag", "orders", "--into", "no.db"];
    let nowhere = user.run(&[&from[..], &nowhere].concat());
    assert!(!nowhere.stderr.contains("only reads"), "{nowhere:?}");
    nowhere.refused(4, "are made by `snowmint migrate`");
    let own = ["--tag", "orders", "--into", "shop.db"];
    user.run(&[&from[..], &own].concat()).refused(4, "it belongs to something else");
    assert_eq!(content(), before);
    // With something of ours in it, nothing there may be passed over.
    shop.execute_batch("CREATE TABLE snowmint_segment (tag TEXT)").unwrap();
    user.run(&from).refused(4, "it belongs to something else");
}

#[test]
fn a_check_finds_numbers_that_would_be_given_twice() {
    let user = user();
    let clashes = |arguments: &[&str]| {
        let outcome = user.run(&[&["adopt", "--check", "--json"], arguments].concat());
        let clashes: Vec<_> = objects(&outcome.stdout)
            .iter()
            .map(|it| it["clash"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(outcome.status, if clashes.is_empty() { 0 } else { 4 }, "{outcome:?}");
        clashes
    };
    assert!(clashes(&["a.db"]).is_empty());
    assert_eq!(clashes(&["a.db", "b.db"]), ["tags"]);
    assert!(clashes(&["a.db", "b.db", "--tag", "bills"]).is_empty());
    user.run(&["migrate", "c.db"]).done();
    assert!(clashes(&["a.db", "--into", "c.db"]).is_empty());
    user.run(&["segment", "create", "c.db", "orders", "--start", "499"]).done();
    assert_eq!(clashes(&["a.db", "--into", "c.db"]), ["next"]);
    user.run(&["adopt", "a.db", "--into", "c.db"]).done();
    assert!(clashes(&["a.db", "--into", "c.db"]).is_empty());
    // The same column in two files: both have a stride of 1.
    assert_eq!(
        clashes(&["a.db", "b.db", "--tag", "none", "--from", "snowmint_segment.stride"]),
        ["IDs"]
    );
    let column = ["--from", "snowmint_segment.next"];
    assert!(clashes(&[&["a.db", "b.db", "--tag", "none"], &column[..]].concat()).is_empty());
    // The next number of another tag lies above, as an ID of this one's column would.
    assert_eq!(clashes(&[&["a.db", "--tag", "bills"], &column[..]].concat()), ["next"]);
    // Each in a class of its own.
    for (file, start) in [("d.db", "1"), ("e.db", "2")] {
        user.run(&["migrate", file]).done();
        user.run(&["segment", "create", file, "orders", "--start", start, "--stride", "2"]).done();
    }
    assert!(clashes(&["d.db", "e.db"]).is_empty());
}

#[test]
fn a_max_that_is_in_the_way_is_named() {
    let user = user();
    user.run(&["migrate", "c.db"]).done();
    user.run(&["segment", "create", "c.db", "orders", "--max", "50"]).done();
    let checked = user.run(&["adopt", "a.db", "--check", "--into", "c.db"]);
    let cure =
        "raise its max, 50, by `snowmint segment set c.db orders --max NUMBER`, and adopt it";
    assert!(checked.status == 4 && checked.stdout.contains(cure), "{checked:?}");
    user.run(&["adopt", "a.db", "--into", "c.db"])
        .refused(2, "its next number cannot be 500, as its max is 50: raise that to 499 or more");
    user.run(&["segment", "set", "c.db", "orders", "--max", "499"]).done();
    user.run(&["adopt", "a.db", "--into", "c.db"]).done();
}

#[test]
fn a_store_that_cannot_be_adopted_is_refused() {
    let user = user();
    user.run(&["adopt"]).refused(2, "STORE");
    user.run(&["adopt", "none.db"]).refused(4, "there is no file none.db");
    user.run(&["adopt", "none.db", "--from", "orders.id"]).refused(4, "there is no such database");
    user.run(&["adopt", "a.db", "--from", "orders.id"]).refused(2, "there is no orders.id");
    user.run(&["adopt", "a.db", "--tag", "none", "--into", "b.db"]).refused(2, "of a tag none");
    user.run(&["adopt", "postgres://ann:S3CRET@127.0.0.1:1/ids"]).refused(4, "be reached");
}

/// As an application leaves it that is killed in a transaction.
#[test]
fn an_applications_unfinished_change_is_told_and_left_alone() {
    let user = User::new();
    let shop = rusqlite::Connection::open(user.path("shop.db")).unwrap();
    shop.execute_batch("CREATE TABLE orders (id); INSERT INTO orders VALUES (8)").unwrap();
    shop.execute_batch("BEGIN IMMEDIATE; UPDATE orders SET id = 9").unwrap();
    shop.cache_flush().unwrap();
    for (from, to) in [("shop.db", "left.db"), ("shop.db-journal", "left.db-journal")] {
        std::fs::copy(user.path(from), user.path(to)).unwrap();
    }
    let content = || ["left.db", "left.db-journal"].map(|it| std::fs::read(user.path(it)).unwrap());
    let before = content();
    let adopted = user.run(&["adopt", "left.db", "--from", "orders.id"]);
    adopted.refused(4, "that a process left unfinished");
    assert!(content() == before, "it was written to");
}

/// Adopts a column with rows that were deleted at its end, and what fills it goes on until it is ended.
#[cfg(unix)]
fn l1_a_column_is_adopted_above_what_fills_it(server: &Server, column: &str, next: &str) {
    let (user, url) = (User::new(), server.url.as_str());
    user.run(&["migrate", url]).done();
    let adopt = ["adopt", url, "--tag", "boxes", "--from", column, "--into", url];
    let adopted = user.run(&[&adopt[..], &["--json"]].concat());
    assert_eq!(adopted.status, 0, "{adopted:?}");
    assert_eq!(objects(&adopted.stdout)[0]["next"].as_str(), Some(next), "{adopted:?}");
    let (_, end) = adopted.stderr.split_once(": ALTER TABLE ").unwrap();
    let end = format!("ALTER TABLE {}", end.lines().next().unwrap());
    let checked = user.run(&[&adopt[..], &["--check"]].concat());
    assert!(checked.status == 4 && checked.stdout.contains(&end), "{checked:?}");
    server.run(&end);
    for into in [&adopt[..], &adopt[..6]] {
        let checked = user.run(&[into, &["--check"]].concat());
        assert_eq!((checked.status, checked.stdout.as_str()), (0, ""), "{checked:?}");
    }
}

/// As a function's, or a key that SQLite counts: nobody compares what it gives.
#[test]
fn a_column_that_goes_on_to_be_filled_is_named() {
    let user = user();
    let shop = rusqlite::Connection::open(user.path("shop.db")).unwrap();
    shop.execute_batch(
        "CREATE TABLE orders (id INTEGER PRIMARY KEY); INSERT INTO orders VALUES (7)",
    )
    .unwrap();
    let adopt = ["--tag", "carts", "--from", "orders.id", "--into"];
    let filled = |database: &str, into: &str| {
        let adopted = user.run(&[&["adopt", database][..], &adopt, &[into]].concat());
        assert_eq!(adopted.status, 0, "{adopted:?}");
        let checked = user.run(&[&["adopt", database, "--check"][..], &adopt, &[into]].concat());
        assert_eq!(checked.status, 4, "{checked:?}");
        assert!(checked.stdout.contains("is still filled by itself"), "{checked:?}");
    };
    filled("shop.db", "b.db");
    #[cfg(unix)]
    for (server, make) in [
        (
            Server::postgres(),
            "CREATE SEQUENCE s; CREATE FUNCTION f() RETURNS bigint LANGUAGE sql \
             AS $$SELECT nextval('s')$$; CREATE TABLE orders (id bigint DEFAULT f()); \
             INSERT INTO orders VALUES (7)",
        ),
        (
            Server::mariadb(),
            "CREATE TABLE orders (id bigint unsigned DEFAULT (uuid_short())); \
             INSERT INTO orders VALUES (7)",
        ),
    ] {
        server.run(make);
        user.run(&["migrate", &server.url]).done();
        filled(&server.url, &server.url);
    }
}

/// Rows that row-level security hides from the user count as well.
#[test]
#[cfg(unix)]
fn rows_that_are_hidden_are_not_passed_over() {
    let (server, user) = (Server::postgres(), User::new());
    server.run(
        "CREATE TABLE orders (id bigint); INSERT INTO orders VALUES (3), (9000); \
         ALTER TABLE orders ENABLE ROW LEVEL SECURITY; \
         CREATE POLICY seen ON orders USING (id < 10); \
         CREATE ROLE reader LOGIN; GRANT SELECT ON orders TO reader",
    );
    let (_, at) = server.url.split_once('@').unwrap();
    let url = format!("postgres://reader@{at}");
    let adopt = ["adopt", &url, "--tag", "orders", "--from", "orders.id"];
    user.run(&adopt).refused(4, "row-level security hides rows");
}

#[test]
#[cfg(unix)]
fn a_column_of_postgres_is_of_the_sequence_that_fills_it() {
    let (server, user) = (Server::postgres(), User::new());
    let url = server.url.as_str();
    server.run(
        "CREATE TABLE a (id bigserial PRIMARY KEY); \
         CREATE TABLE app_user (id integer GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY); \
         INSERT INTO app_user VALUES (500); \
         CREATE TABLE boxes (id bigserial PRIMARY KEY, side int); \
         INSERT INTO boxes (side) SELECT 1 FROM generate_series(1, 5000); \
         DELETE FROM boxes WHERE id > 4900; \
         CREATE TABLE span (id serial PRIMARY KEY); \
         ALTER SEQUENCE span_id_seq MINVALUE -2147483648 CYCLE",
    );
    let check = ["adopt", url, "--check", "--from", "app_user.id"];
    // The one before it gave none of its numbers, and nothing that they have in common counts.
    for from in [&[][..], &["--from", "a.id"]] {
        let behind = user.run(&[&check[..], from].concat());
        let said = "app_user_id_seq goes on at";
        assert!(behind.status == 4 && behind.stdout.contains(said), "{behind:?}");
        assert_eq!(behind.stdout.lines().count(), 1, "{behind:?}");
    }
    let sequences = format!("{url}&dialect=sequence");
    let raise = ["segment", "raise", &sequences, "app_user_id_seq", "--from", "app_user.id"];
    assert_eq!(user.run(&raise).status, 0);
    assert_eq!(user.run(&check).status, 0);
    l1_a_column_is_adopted_above_what_fills_it(&server, "boxes.id", "5001");
    server.run("ALTER TABLE app_user RENAME TO \"Users\"");
    user.run(&["migrate", url]).done();
    let users = ["adopt", url, "--tag", "users", "--from", "Users.id", "--into", url];
    let users = user.run(&users);
    let identity = "ALTER TABLE \"Users\" ALTER COLUMN id DROP IDENTITY";
    assert!(users.stderr.contains(identity) && users.stdout.contains("2147483647"), "{users:?}");
    // One that begins anew has gone nobody knows how far.
    user.run(&["adopt", url, "--from", "span.id", "--into", url]).refused(4, "CYCLE");
    user.run(&["adopt", url, "--into", url]).refused(4, "CYCLE");
    let listed = user.run(&["segment", "list", &sequences]);
    assert!(
        listed.stderr.contains("span_id_seq\" is left out: ") && listed.status == 0,
        "{listed:?}"
    );
    for command in [&["doctor", &sequences][..], &["segment", "list", &sequences], &["adopt", url]]
    {
        let told = user.run(command);
        assert!(format!("{told:?}").contains("(CYCLE)"), "{told:?}");
    }
    assert_eq!(user.run(&["doctor", &sequences]).status, 4);
}

#[test]
#[cfg(unix)]
fn a_column_of_mariadb_is_adopted_above_its_counter() {
    let server = Server::mariadb();
    server.run(
        "CREATE TABLE boxes (id int unsigned AUTO_INCREMENT PRIMARY KEY, side int); \
         INSERT INTO boxes (side) VALUES (1), (2), (3), (4); DELETE FROM boxes WHERE id > 2; \
         CREATE SEQUENCE counted NOCACHE; \
         CREATE TABLE cases (id bigint DEFAULT nextval(counted), side int); \
         INSERT INTO cases (side) VALUES (1), (2), (3), (4), (5), (6); DELETE FROM cases WHERE id > 2",
    );
    l1_a_column_is_adopted_above_what_fills_it(&server, "boxes.id", "5");
    l1_a_column_is_adopted_above_what_fills_it(&server, "cases.id", "7");
}
