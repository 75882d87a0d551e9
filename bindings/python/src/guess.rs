//! The presets that an ID may come from, and its parts in each.

use std::time::{SystemTime, UNIX_EPOCH};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use snowmint::Doubt;

use crate::error::{self, exception, or_raise};
use crate::layout::{LayoutArgument, Preset};
use crate::parts::Parts;
use crate::pickled::{Reduced, reduced};
use crate::text::IdArgument;
use crate::time::Moment;

/// A preset that an ID may come from, and the ID's parts in its layout.
#[pyclass(frozen, eq, hash, get_all, module = "snowmint")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Guess {
    /// The preset.
    preset: Preset,
    /// The ID's parts in its layout.
    parts: Parts,
    /// True if the text beside the ID names the system. Otherwise many systems may have such an
    /// ID.
    named: bool,
    /// ``None`` if the guess is likely. All likely guesses of an ID have the same time. Otherwise the
    /// reason why it is not likely:
    ///
    /// - ``"ambiguous"``: other systems that would give it another time fit as well.
    /// - ``"unlikely"``: its bits are unusual there, or another system is far likelier.
    /// - ``"rare"`` or ``"expired"``: the preset is.
    /// - ``"young"``: it would be of the layout's first month.
    doubt: Option<&'static str>,
}

/// The values of a pickled guess.
type Fields = (&'static str, Parts, bool, Option<&'static str>);

impl Guess {
    fn of(guess: &snowmint::Guess) -> Guess {
        Guess {
            preset: Preset::of(guess.preset),
            parts: Parts(guess.parts),
            named: guess.named,
            doubt: guess.doubt.map(Doubt::name),
        }
    }
}

#[pymethods]
impl Guess {
    /// The values of its fields by the layout's own names, for example Discord's ``worker`` and
    /// ``process``.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (layout, parts) = (self.preset.layout.0, &self.parts.0);
        let fields = PyDict::new(py);
        for (kind, value) in or_raise(py, layout.worker_parts(parts.worker_id))? {
            fields.set_item(kind.name(), value)?;
        }
        if layout.rollback().bits() > 0 {
            fields.set_item("rollback", parts.rollback)?;
        }
        fields.set_item("sequence", parts.sequence)?;
        Ok(fields)
    }

    #[staticmethod]
    fn _of(
        preset: &str,
        parts: &Bound<'_, Parts>,
        named: bool,
        doubt: Option<&str>,
    ) -> PyResult<Guess> {
        let doubt = Doubt::ALL.iter().map(|known| known.name()).find(|&name| doubt == Some(name));
        Ok(Guess { preset: Preset::_of(preset)?, parts: parts.get().clone(), named, doubt })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, Fields> {
        reduced::<Self, _>(py, (self.preset.name, self.parts.clone(), self.named, self.doubt))
    }

    fn __repr__(&self) -> String {
        let (preset, parts) = (self.preset.__repr__(), self.parts.__repr__());
        let doubt = self.doubt.map_or_else(String::new, |doubt| format!(" ({doubt})"));
        format!("<snowmint.Guess {preset}{doubt}: {parts}>")
    }
}

/// Returns the presets that an ID may come from. Likely guesses come first, and the others have a
/// ``doubt``. If the first guess has one, or the list is empty, no preset is likely.
///
/// A preset is plausible if its constant bits match, and the decoded time passes three checks. It
/// is at most a day after ``now`` (default: the present), not before the system made such IDs, and
/// not in the layout's first day, where every small number is. A plausible preset is likely if its
/// system is common, the ID's bits are as usual there, and no other system explains them nearly as
/// well with another time.
///
/// ``beside`` is a text found beside the ID: for example the key of its value (``guild_id``), its
/// link or a column's name. A system that it names is likely.
///
/// Raises:
///     TextError: if the text is not decimal digits.
#[pyfunction]
#[pyo3(signature = (id, *, now=None, beside=""))]
pub(crate) fn guess(id: IdArgument, now: Option<Moment>, beside: &str) -> Vec<Guess> {
    let now_ms = now.map_or_else(present_ms, |now| now.0);
    snowmint::guess_beside(id.0, now_ms, beside).map(|guess| Guess::of(&guess)).collect()
}

/// Returns the parts of an ID in a layout. Without a layout it returns the likeliest ``Guess``;
/// ``guess`` returns all of them.
///
/// Raises:
///     LayoutError: ``id_not_in_layout``, or ``unknown_layout`` with the reason if no preset is
///         likely.
///     TextError: if the text is not decimal digits.
///     TypeError: if ``now`` or ``beside`` is given together with a layout.
#[pyfunction]
#[pyo3(signature = (id, layout=None, *, now=None, beside=""))]
pub(crate) fn decode(
    py: Python<'_>,
    id: IdArgument,
    layout: Option<LayoutArgument>,
    now: Option<Moment>,
    beside: &str,
) -> PyResult<Py<PyAny>> {
    if let Some(layout) = layout {
        if now.is_some() || !beside.is_empty() {
            let message = "now and beside tell layouts apart, and one is given: leave either out";
            return Err(PyTypeError::new_err(message));
        }
        let parts = or_raise(py, layout.0.decode(id.0))?;
        return Ok(Py::new(py, Parts(parts))?.into_any());
    }
    let now_ms = now.map_or_else(present_ms, |now| now.0);
    let mut guesses = snowmint::guess_beside(id.0, now_ms, beside);
    let why = guesses.none_likely().map(|why| why.to_string());
    match (guesses.next(), why) {
        (Some(likeliest), None) => Ok(Py::new(py, Guess::of(&likeliest))?.into_any()),
        (_, why) => Err(exception(py, &error::preset_not_found(id.0, &why.unwrap_or_default()))),
    }
}

fn present_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
