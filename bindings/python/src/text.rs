//! IDs as text.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::PyString;
use snowmint::{Code, Error};

use crate::error::{self, exception, or_raise};
use crate::number::{Int, Named as _};
use crate::pickled::{Reduced, named, reduced};

/// Returns any text of Python as UTF-8. Lone surrogates, which UTF-8 does not have, become a
/// character that is in no form's alphabet.
pub(crate) fn readable<'a>(text: &'a Bound<'_, PyString>) -> Cow<'a, str> {
    text.to_str().map_or_else(|_| text.to_string_lossy(), Cow::Borrowed)
}

/// Returns the form with this name.
fn form(py: Python<'_>, name: &str) -> PyResult<snowmint::TextForm> {
    let form = snowmint::TextForm::from_name(name);
    form.ok_or_else(|| exception(py, &error::text_form_unknown(name)))
}

/// Returns an ID as text, in the form with this name: see ``text_forms()``.
///
/// Raises:
///     TextError: ``unknown_text_form``.
///     ParameterError: if it is not a number of 64 bits.
#[pyfunction]
#[pyo3(signature = (id, form))]
pub(crate) fn format(py: Python<'_>, id: Int<u64>, form: &str) -> PyResult<String> {
    let id = id.named(py, "id")?;
    Ok(self::form(py, form)?.format(id).as_str().to_owned())
}

/// Returns the ID that a text means in the form with this name. It reads the texts that
/// ``format`` writes, and other spellings that can mean only one ID. These are leading zeros, and
/// letters of the other case if the form has only one case. Without a form it detects the form,
/// like ``detect``.
///
/// Raises:
///     TextError: if the text is not an ID in the form, ``unknown_text_form``, or if no form is
///         detected.
#[pyfunction]
#[pyo3(signature = (text, form=None))]
pub(crate) fn parse(
    py: Python<'_>,
    text: &Bound<'_, PyString>,
    form: Option<&str>,
) -> PyResult<u64> {
    let form = form.map(|name| self::form(py, name)).transpose()?;
    or_raise(py, snowmint::names::id(&readable(text), form))
}

/// Returns the name of the form that a bare text most likely has, or ``None``. It is a guess:
/// z-base-32, base 36 and base 58 are never guessed, nor base 62 if base 58 writes the same text.
#[pyfunction]
pub(crate) fn detect(text: &Bound<'_, PyString>) -> Option<&'static str> {
    snowmint::detect(&readable(text)).map(snowmint::TextForm::name)
}

/// A way to write IDs as text.
#[pyclass(frozen, eq, hash, get_all, module = "snowmint")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct TextForm {
    /// The name, the same in every language.
    name: &'static str,
    /// The symbols of the digits, beginning with 0.
    alphabet: &'static str,
    /// The number of symbols if every text of the form has the same number; otherwise
    /// ``None``.
    width: Option<u32>,
    /// True if texts in byte order are IDs in numeric order.
    sortable: bool,
}

impl TextForm {
    fn of(form: snowmint::TextForm) -> TextForm {
        TextForm {
            name: form.name(),
            alphabet: form.alphabet(),
            width: form.width(),
            sortable: form.is_sortable(),
        }
    }
}

#[pymethods]
impl TextForm {
    #[staticmethod]
    fn _of(name: &str) -> PyResult<TextForm> {
        named(snowmint::TextForm::from_name(name), "text form", name).map(TextForm::of)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (&'static str,)> {
        reduced::<Self, _>(py, (self.name,))
    }

    fn __repr__(&self) -> String {
        format!("<snowmint.TextForm '{}'>", self.name)
    }
}

/// Returns every text form of IDs.
#[pyfunction]
pub(crate) fn text_forms() -> Vec<TextForm> {
    snowmint::TextForm::ALL.iter().copied().map(TextForm::of).collect()
}

/// An ID: an integer, or its decimal digits.
#[derive(Clone, Copy)]
pub(crate) struct IdArgument(pub(crate) u64);

impl<'a, 'py> FromPyObject<'a, 'py> for IdArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return or_raise(object.py(), digits(&readable(&text))).map(IdArgument);
        }
        object.extract::<Int<u64>>()?.named(object.py(), "id").map(IdArgument)
    }
}

/// Returns the ID of its decimal digits. If the text may have another form, the error says where to
/// look.
fn digits(text: &str) -> Result<u64, Error> {
    let decimal = snowmint::TextForm::Decimal;
    decimal.parse(text).map_err(|cause| match snowmint::reading::advice(text) {
        None if cause.code() == Code::InvalidText => error::digits_invalid(cause),
        _ => snowmint::names::id(text, Some(decimal)).err().unwrap_or_else(|| cause.into()),
    })
}
