//! An empty native method that returns an integer as large as an ID, and an empty iterator of them.

use pyo3::prelude::*;

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
