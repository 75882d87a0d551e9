//! Empty native methods that give an integer as large as an ID, or a text as long as a token, and an
//! empty iterator of integers.

use pyo3::prelude::*;
use pyo3::types::PyString;

#[pyclass(frozen)]
struct Floor(u64);

#[pymethods]
impl Floor {
    #[new]
    fn new(id: u64) -> Floor {
        Floor(id)
    }

    fn next_id(&self) -> u64 {
        self.0
    }

    /// Takes an ID, as what makes a public one does.
    fn same(&self, id: u64) -> u64 {
        id
    }

    fn text<'py>(&self, py: Python<'py>, _id: u64) -> Bound<'py, PyString> {
        PyString::new(py, "order_1000000000000000000000000000")
    }

    /// Takes a text and gives an ID, as what reads a public one does.
    fn read(&self, _text: &str) -> u64 {
        self.0
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self) -> u64 {
        self.0
    }
}

#[pymodule]
fn snowmint_bench_floor(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Floor>()
}
