//! Creates a store's tables or key space.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::pickled::{Reduced, reduced};
use crate::wait::opened;

/// Creates the tables of a store, as ``create=true`` in its URL does, or begins its key space.
/// Tables that exist and are right stay as they are.
///
/// Args:
///     url: the store, for example ``postgres://owner@host/database``.
///     dry_run: if true, nothing is changed, and the result has the statements that would run.
///
/// Raises:
///     UrlError: if the URL cannot be read, or has an unknown scheme.
///     ParameterError: ``unsupported`` for ``memory:``.
///     StoreError: ``store_schema`` if only some of the tables exist, or if they differ from what
///         they should be, and nothing is changed; or another error of the store.
#[pyfunction]
#[pyo3(signature = (url, *, dry_run=false))]
pub(crate) fn migrate(py: Python<'_>, url: &str, dry_run: bool) -> PyResult<Migration> {
    let url = url.to_owned();
    let call = if dry_run { snowmint::migration } else { snowmint::migrate };
    let done = opened(py, move || call(&url))?;
    Ok(Migration {
        state: done.state(dry_run).to_owned(),
        key_space: done.key_space.map(|id| id.to_string()),
        report: done.report(dry_run),
        place: done.place,
        statements: done.statements,
    })
}

/// What a pickle has of a `Migration`.
type Fields<'a> = (&'a str, &'a str, Option<&'a str>, &'a [String], &'a str);

/// The statements that a store needed, or would need: the result of ``migrate(url)``.
#[pyclass(frozen, eq, hash, module = "snowmint")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Migration {
    place: String,
    state: String,
    key_space: Option<String>,
    statements: Vec<String>,
    report: String,
}

#[pymethods]
impl Migration {
    /// The place of the tables: the file, or the server and its database.
    #[getter]
    fn place(&self) -> &str {
        &self.place
    }

    /// ``made``; ``there`` if nothing was missing; or ``missing``, with ``dry_run=True``.
    #[getter]
    fn state(&self) -> &str {
        &self.state
    }

    /// The identity of the key space, for ``key_space=`` in a URL; ``None`` after a dry run, and for
    /// a copy that is not yet confirmed.
    #[getter]
    fn key_space(&self) -> Option<&str> {
        self.key_space.as_deref()
    }

    /// The statements that create what was missing, in order, as a tuple. It is empty if nothing
    /// was.
    #[getter]
    fn statements<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.statements)
    }

    /// The text that ``python -m snowmint migrate`` prints. With ``dry_run=True`` it is a script
    /// for the store's own client.
    #[getter]
    fn report(&self) -> &str {
        &self.report
    }

    #[staticmethod]
    fn _of(
        place: String,
        state: String,
        key_space: Option<String>,
        statements: Vec<String>,
        report: String,
    ) -> Migration {
        Migration { place, state, key_space, statements, report }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, Fields<'_>> {
        let Migration { place, state, key_space, statements, report } = self;
        reduced::<Self, _>(py, (place, state, key_space.as_deref(), statements, report))
    }

    fn __repr__(&self) -> String {
        let Migration { place, state, statements, .. } = self;
        format!("<snowmint.Migration of {place:?}: {state}, {} statements>", statements.len())
    }
}
