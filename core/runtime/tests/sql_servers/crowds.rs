//! Many who want something of one database at once.

use crate::asking::crowds;
use crate::crowds::{client, with_room};

#[test]
fn ranges_of_a_crowd_have_no_gaps() {
    let (_server, database) = with_room(true);
    crowds::ranges_of_a_crowd_have_no_gaps(&|| client(&database));
}

#[test]
fn many_ranges_of_a_crowd_have_no_gaps() {
    let (_server, database) = with_room(false);
    crowds::many_ranges_of_a_crowd_have_no_gaps(&|| client(&database));
}

#[test]
fn a_crowd_that_leases_is_in_nobodys_way() {
    let (_server, database) = with_room(true);
    crowds::a_crowd_that_leases_is_in_nobodys_way(&|| client(&database));
}
