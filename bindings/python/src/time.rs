//! Times: Unix milliseconds in the engine, aware `datetime`s in Python. Conversions are exact.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyInt;

use crate::calls;
use crate::error::{self, exception};
use crate::found::Found;
use crate::number::{Int, Named as _};

/// The parts of the module `datetime` that are in use. It is imported when first needed, because
/// it would take most of the time of importing snowmint.
struct Calendar {
    datetime: Py<PyAny>,
    timedelta: Py<PyAny>,
    epoch: Py<PyAny>,
    millisecond: Py<PyAny>,
}

fn calendar(py: Python<'_>) -> PyResult<&Calendar> {
    static CALENDAR: Found<Calendar> = Found::new();
    CALENDAR.get_or_try_init(py, || {
        let module = calls::import(py, "datetime")?;
        let (datetime, timedelta) = (module.getattr("datetime")?, module.getattr("timedelta")?);
        let utc = module.getattr("timezone")?.getattr("utc")?;
        Ok(Calendar {
            epoch: datetime.call1((1970, 1, 1, 0, 0, 0, 0, utc))?.unbind(),
            millisecond: timedelta.call1((0, 0, 0, 1))?.unbind(),
            datetime: datetime.unbind(),
            timedelta: timedelta.unbind(),
        })
    })
}

/// Returns the aware UTC `datetime` of Unix milliseconds. Fails with `invalid_time` outside the
/// years 1 to 9999.
pub(crate) fn datetime(py: Python<'_>, unix_ms: i64) -> PyResult<Bound<'_, PyAny>> {
    let calendar = calendar(py)?;
    let since = calendar.timedelta.bind(py).call1((0, 0, 0, unix_ms));
    since.and_then(|since| calendar.epoch.bind(py).add(since)).map_err(|raised| {
        if !raised.is_instance_of::<PyOverflowError>(py) {
            return raised;
        }
        exception(py, &error::time_without_datetime(unix_ms))
    })
}

/// Writes the Python methods of a class over a value with a `unix_ms`: the class's own methods,
/// then those for the time.
macro_rules! timed_methods {
    ($class:ident, $when:literal, { $($own:tt)* }) => {
        #[pymethods]
        impl $class {
            $($own)*

            #[doc = concat!($when, ", Unix milliseconds.")]
            #[getter]
            fn unix_ms(&self) -> i64 {
                self.0.unix_ms
            }

            #[doc = concat!($when, ", an aware ``datetime`` in UTC.")]
            ///
            /// Raises:
            ///     ParameterError: ``invalid_time`` outside the years 1 to 9999; use ``unix_ms``
            ///         then.
            #[getter]
            fn time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::time::datetime(py, self.0.unix_ms)
            }
        }
    };
}

pub(crate) use timed_methods;

/// A time argument, as Unix milliseconds: an integer of them, or an aware `datetime`, rounded
/// down.
#[derive(Clone, Copy)]
pub(crate) struct Moment(pub(crate) i64);

impl<'a, 'py> FromPyObject<'a, 'py> for Moment {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let py = object.py();
        if object.is_instance_of::<PyInt>() {
            return object.extract::<Int<i64>>()?.named(py, "a time").map(Moment);
        }
        let calendar = calendar(py)?;
        if !object.is_instance(calendar.datetime.bind(py))? {
            let message = "a time is an integer of Unix milliseconds or an aware datetime";
            return Err(PyTypeError::new_err(message));
        }
        if object.call_method0("utcoffset")?.is_none() {
            return Err(exception(py, &error::datetime_without_zone()));
        }
        let since = object.sub(calendar.epoch.bind(py))?;
        since.floor_div(calendar.millisecond.bind(py))?.extract().map(Moment)
    }
}
