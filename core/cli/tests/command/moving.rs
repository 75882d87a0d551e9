//! `segment move`: a tag goes on in another store.

use serde_json::Value;

use crate::User;

#[test]
fn a_tag_goes_on_where_it_was_moved() {
    let user = User::new();
    user.run(&["segment", "create", "sqlite:a.db?create=true", "orders", "--step", "5"]).done();
    user.run(&["id", "-n", "5", "segment+sqlite:a.db?tag=orders"]).done();
    user.run(&["migrate", "b.db"]).done();
    let segment = |arguments: &[&str]| user.run(&[&["segment"], arguments].concat());
    let there = |printed: &str| {
        let row: Value = serde_json::from_str(printed).unwrap();
        (row["next"].as_str().unwrap().to_owned(), row["moved_to"].clone())
    };

    let moved = segment(&["move", "a.db", "orders", "--to", "b.db", "--json"]).done();
    assert_eq!(there(&moved), ("7".to_owned(), Value::Null));
    user.run(&["id", "segment+sqlite:a.db?tag=orders"]).refused(4, "b.db");
    let set = ["set", "a.db", "orders", "--max", "900"];
    segment(&set).refused(4, "move the tag back from there");
    assert_eq!(user.run(&["id", "segment+sqlite:b.db?tag=orders"]).done(), "7\n");
    let listed = segment(&["list", "a.db"]).done();
    assert!(listed.contains("MOVED TO") && listed.contains("b.db"), "{listed}");
    assert!(!segment(&["list", "b.db"]).done().contains("MOVED TO"));

    // Whoever is told may stand elsewhere.
    let place = format!("sqlite:{}", user.path("c.db").display());
    for (tag, to) in [("d", "c.db"), ("e", "sqlite:c.db"), ("f", "sqlite:./c.db?shared_file=true")]
    {
        user.run(&["migrate", "c.db"]).done();
        segment(&["create", "a.db", tag]).done();
        segment(&["move", "a.db", tag, "--to", to]).done();
        user.run(&["id", &format!("segment+sqlite:a.db?tag={tag}")]).refused(4, &place);
    }

    for to in ["a.db", "sqlite:./a.db", "sqlite:a.db?shared_file=true"] {
        segment(&["move", "a.db", "orders", "--to", to]).refused(2, "names the same one");
    }

    // Once more it does nothing, and to another place neither.
    segment(&["move", "a.db", "orders", "--to", "b.db"]).done();
    segment(&["move", "a.db", "orders", "--to", "sqlite:d.db?create=true"])
        .refused(4, "goes on at");
    segment(&["move", "b.db", "orders", "--to", "a.db"]).done();
    user.run(&["id", "segment+sqlite:a.db?tag=orders"]).done();
    user.run(&["id", "segment+sqlite:b.db?tag=orders"]).refused(4, "a.db");

    segment(&["create", "b.db", "bills"]).done();
    segment(&["create", "a.db", "bills"]).done();
    segment(&["move", "a.db", "bills", "--to", "b.db"]).refused(2, "numbers of its own");
    segment(&["move", "a.db", "none", "--to", "b.db"]).refused(2, "no tag none");
    segment(&["move", "a.db", "bills", "--to", "memory:"]).refused(2, "memory: ends");
}
