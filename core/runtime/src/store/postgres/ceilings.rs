//! Ranges below a ceiling: a standby is waited for once in so many numbers.

use snowmint_engine::{Code, MAX_STEP};

use super::fault::Fault;
use super::place::Place;
use super::rows::{allocation, ceiling_of, checked, in_order};
use super::session::{Session, Transaction};
use super::statement::{Statement, Value};
use crate::error::{Error, Result};
use crate::store::remote::deadline::Deadline;
use crate::store::{Allocation, AllocationRequest};

/// Of one request, what is known of its answer by now.
type Answer = Option<Result<Allocation>>;

/// By how many numbers a ceiling is raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Chunk(u64);

impl Chunk {
    pub(super) fn new(numbers: u64) -> Result<Chunk> {
        if (1..=MAX_STEP).contains(&numbers) {
            return Ok(Chunk(numbers));
        }
        let message = format!("a ceiling raised by {numbers} numbers, not by 1 to {MAX_STEP}");
        Err(Error::new(Code::InvalidParameter, message))
    }
}

/// A ceiling that standbys confirmed, and on which server.
struct Confirmed {
    ceiling: u64,
    on: String,
}

/// The next ranges of tags, in the order of their requests. What is left without one, the last of a
/// tag and whatever is refused, is for the usual way.
pub(super) fn allocate(
    session: &mut Session,
    place: &Place,
    chunk: Chunk,
    requests: &[AllocationRequest],
    deadline: Deadline,
) -> Result<Vec<Answer>, Fault> {
    let mut answers: Vec<Answer> = requests.iter().map(|it| checked(it).err().map(Err)).collect();
    let asked = in_order(requests, |at| answers[at].is_none());
    let below = asked.iter().map(|at| take(&requests[*at], None));
    let taken = session.transact(deadline, |it| below_ceilings(it, below.collect()))?;
    keep(&mut answers, &asked, taken);

    let asked = in_order(requests, |at| answers[at].is_none());
    if asked.is_empty() {
        return Ok(answers);
    }
    // What was taken is not given up with what is not confirmed.
    match above(session, chunk, requests, &asked, deadline) {
        Ok(taken) => keep(&mut answers, &asked, taken),
        Err(fault) if asked.len() == requests.len() => return Err(fault),
        Err(fault) => {
            let error = fault.explain(place);
            for at in asked {
                answers[at] = Some(Err(Error::new(error.code(), error.to_string())));
            }
        }
    }
    Ok(answers)
}

fn keep(answers: &mut [Answer], asked: &[usize], taken: Vec<Option<Allocation>>) {
    for (at, found) in asked.iter().zip(taken) {
        answers[*at] = found.map(Ok);
    }
}

/// Has ceilings confirmed, and takes ranges below them.
fn above(
    session: &mut Session,
    chunk: Chunk,
    requests: &[AllocationRequest],
    asked: &[usize],
    deadline: Deadline,
) -> Result<Vec<Option<Allocation>>, Fault> {
    let raises = asked.iter().map(|at| raise(&requests[*at], chunk)).collect();
    let confirmed = session.transact(deadline, |it| raised(it, raises))?;
    let below = asked.iter().zip(&confirmed);
    let below = below.map(|(at, confirmed)| take(&requests[*at], confirmed.as_ref())).collect();
    session.transact(deadline, |it| below_ceilings(it, below))
}

/// Committed on this server alone.
fn below_ceilings(
    transaction: &mut Transaction<'_>,
    statements: Vec<Statement>,
) -> Result<Vec<Option<Allocation>>, Fault> {
    transaction.require_told()?;
    let here = Statement::plain(include_str!("committed_here.sql"));
    let answers = transaction.all(std::iter::once(here).chain(statements))?;
    let rows = answers.iter().skip(1).map(|rows| rows.first());
    rows.map(|row| row.map(|row| allocation(row, transaction)).transpose()).collect()
}

/// What standbys have confirmed once this is committed.
fn raised(
    transaction: &mut Transaction<'_>,
    statements: Vec<Statement>,
) -> Result<Vec<Option<Confirmed>>, Fault> {
    let answers = transaction.all(statements)?;
    if answers.iter().all(Vec::is_empty) && !transaction.is_confirmed() {
        return Err(unconfirmed().into());
    }
    let confirmed = |row| {
        let (ceiling, on) = ceiling_of(row)?;
        Ok(Confirmed { ceiling, on })
    };
    answers.iter().map(|rows| rows.first().map(confirmed).transpose()).collect()
}

fn take(request: &AllocationRequest, confirmed: Option<&Confirmed>) -> Statement {
    let parameters = [
        ("tag", request.tag.as_str().into()),
        ("count", request.count.into()),
        ("confirmed", confirmed.map(|it| it.ceiling).into()),
        ("confirmed_on", Value::Text(confirmed.map(|it| it.on.clone()))),
    ];
    Statement::new(include_str!("allocate_below.sql"), &parameters)
}

fn raise(request: &AllocationRequest, Chunk(numbers): Chunk) -> Statement {
    let parameters = [
        ("tag", request.tag.as_str().into()),
        ("count", request.count.into()),
        ("chunk", numbers.into()),
    ];
    Statement::new(include_str!("raise_ceiling.sql"), &parameters)
}

pub(super) fn unconfirmed() -> Error {
    let message = "a ceiling that no standby can be made to confirm: name each that may be \
                   promoted, as synchronous_standby_names = '2 (a, b)' does (other users keep \
                   synchronous_commit = local, and wait for none), or leave out ceiling";
    Error::new(Code::UnsafeSetting, message)
}
