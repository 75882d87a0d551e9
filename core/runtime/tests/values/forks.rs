//! Forked children leave their parent's connections alone.

use super::{database, other};
use crate::asking::children::is_alone;
use crate::asking::parents;

#[test]
fn ranges_of_processes_are_disjoint() {
    if !is_alone("values::forks::ranges_of_processes_are_disjoint") {
        return;
    }
    let database = database();
    parents::ranges_of_processes_are_disjoint(&other(&database));
}

#[test]
fn a_child_that_closes_leaves_its_parents_lease_alone() {
    if !is_alone("values::forks::a_child_that_closes_leaves_its_parents_lease_alone") {
        return;
    }
    let url = format!("{}?create=false", database().url());
    parents::a_child_that_closes_leaves_its_parents_lease_alone(&url);
}
