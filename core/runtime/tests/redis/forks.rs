//! Forked children leave their parent's connections alone.

use std::collections::HashSet;

use super::asking::children::{is_alone, staying};
use super::*;

#[test]
fn ranges_of_processes_are_disjoint() {
    if !is_alone("forks::ranges_of_processes_are_disjoint") {
        return;
    }
    const EACH: usize = 40;
    let database = database();
    let store = other(&database);
    let ranges = || (0..EACH).map(|_| take(&store).unwrap()).collect::<Vec<_>>();
    ranges();
    let mut children: Vec<_> = (0..4).map(|_| staying(ranges)).collect();
    let mut all = ranges();
    for child in &mut children {
        all.extend(child.numbers());
    }
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 5 * EACH);
    assert_eq!(take(&store).unwrap(), 10 * 6 * EACH as u64 + 1);
    // One that was forked later has what lets an earlier one stay.
    while children.pop().is_some() {}
}

#[test]
fn a_child_that_closes_leaves_its_parents_lease_alone() {
    if !is_alone("forks::a_child_that_closes_leaves_its_parents_lease_alone") {
        return;
    }
    let url = format!("{}?create=false", database().url);
    asking::parents::a_child_that_closes_leaves_its_parents_lease_alone(&url);
}
