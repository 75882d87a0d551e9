//! Forked children leave their parent's connections alone.

use crate::asking::children::is_alone;
use crate::asking::parents;
use crate::{database, other};

#[test]
fn ranges_of_processes_are_disjoint() {
    if !is_alone("quorums::forks::ranges_of_processes_are_disjoint") {
        return;
    }
    let database = database();
    parents::ranges_of_processes_are_disjoint(&other(&database));
}

#[test]
fn a_child_that_closes_leaves_its_parents_lease_alone() {
    if !is_alone("quorums::forks::a_child_that_closes_leaves_its_parents_lease_alone") {
        return;
    }
    let url = format!("{}?create=false", database().url());
    parents::a_child_that_closes_leaves_its_parents_lease_alone(&url);
}
