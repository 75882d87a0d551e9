//! Forked children leave their parent's connections alone.

use super::asking::children::is_alone;
use super::*;

#[test]
fn ranges_of_processes_are_disjoint() {
    if !is_alone("forks::ranges_of_processes_are_disjoint") {
        return;
    }
    let database = database();
    asking::parents::ranges_of_processes_are_disjoint(&other(&database));
}

#[test]
fn a_child_that_closes_leaves_its_parents_lease_alone() {
    if !is_alone("forks::a_child_that_closes_leaves_its_parents_lease_alone") {
        return;
    }
    let url = format!("{}?create=false", database().url());
    asking::parents::a_child_that_closes_leaves_its_parents_lease_alone(&url);
}
