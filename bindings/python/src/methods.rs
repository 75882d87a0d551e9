//! The macro with the Python methods that every source of 64-bit IDs has.

/// Writes the Python methods of a class over a source of 64-bit IDs, after the class's own methods.
macro_rules! source_methods {
    ($class:ident, $kind:literal, { $($own:tt)* }) => {
        #[pymethods]
        impl $class {
            $($own)*

            /// Opens a source by its URL, like ``snowmint.open``, with a type that a type
            /// checker knows.
            ///
            /// Raises:
            ///     ParameterError: if the URL opens a source of another class.
            ///     SnowmintError: like ``snowmint.open``.
            #[staticmethod]
            #[pyo3(name = "open", signature = (url, *, lazy=false))]
            fn open_url(py: Python<'_>, url: &str, lazy: bool) -> PyResult<$class> {
                $crate::minting::open_as(py, $kind, url, lazy).map($class::new)
            }

            /// Opens the source if it was opened with ``lazy=True`` and nothing has used it.
            /// Waits up to the source's bound.
            ///
            /// Raises:
            ///     SnowmintError: like ``snowmint.open``; the next use tries again.
            ///     ClosedError: after ``close()``.
            fn check(&self, py: Python<'_>) -> PyResult<()> {
                $crate::wait::detached(py, || self.inner.get().map(drop))
            }

            /// Returns the next ID. Waits up to the source's bound, with the interpreter's lock
            /// released.
            ///
            /// Raises:
            ///     StallError: if no ID was available within the bound; ``wait_ms`` says when, if
            ///         known.
            ///     ClosedError: after ``close()``.
            ///     SnowmintError: an error of the store or the worker ID.
            #[inline]
            fn next_id(&self, py: Python<'_>) -> PyResult<u64> {
                $crate::minting::next_id(py, &*self.inner)
            }

            /// Returns the next ID if it is available at once, otherwise ``None``. Never waits,
            /// and calls no store. The source meanwhile fetches IDs, so that you can ask again.
            ///
            /// Raises:
            ///     ClosedError: after ``close()``.
            ///     SnowmintError: ``forked``, ``state_missing``, ``store_unavailable`` of another
            ///         process's ``MemoryStore``, or ``range_regressed`` unless the tag is raised:
            ///         open the source again. ``tag_exhausted`` until the tag is raised.
            #[inline]
            fn try_next_id(&self, py: Python<'_>) -> PyResult<Option<u64>> {
                $crate::minting::try_next_id(py, &*self.inner)
            }

            /// Returns the next ID, waiting up to ``wait_ms`` milliseconds; 0 never waits.
            ///
            /// Raises:
            ///     SnowmintError: like ``next_id``.
            fn next_id_within(
                &self,
                py: Python<'_>,
                wait_ms: $crate::number::Int<u64>,
            ) -> PyResult<u64> {
                $crate::minting::next_id_within(py, &*self.inner, wait_ms)
            }

            /// Returns the next ``count`` IDs, rising, as an ``array('Q')``; at most
            /// ``MAX_COUNT``. Waits for each block up to the source's bound.
            ///
            /// Raises:
            ///     ParameterError: ``count_out_of_range`` for 0 or too many.
            ///     SnowmintError: like ``next_id``. IDs minted before the failure are a gap.
            fn next_ids<'py>(
                &self,
                py: Python<'py>,
                count: $crate::number::Count,
            ) -> PyResult<Bound<'py, PyAny>> {
                $crate::minting::next_ids(py, &*self.inner, count)
            }

            /// Fills a writable buffer of 64-bit integers (``array('Q')``, numpy, memoryview)
            /// with rising IDs. A buffer of several dimensions is filled as its memory lies, row by
            /// row. In a signed buffer, IDs from 2**63 on are negative. Waits for each block up to
            /// the source's bound.
            ///
            /// Raises:
            ///     TypeError: if the object is not a buffer.
            ///     ParameterError: if items have another size, or the buffer is read-only or not
            ///         contiguous.
            ///     SnowmintError: like ``next_id``. The IDs then in the buffer are given up, a gap.
            fn fill(&self, buffer: &Bound<'_, PyAny>) -> PyResult<()> {
                $crate::minting::fill(&*self.inner, buffer)
            }

            /// Returns a coroutine for the next ID, within ``wait_ms`` milliseconds or the
            /// source's bound. Usually the ID is available at once; otherwise the coroutine asks
            /// again until it is. No thread waits, and the event loop goes on. A cancelled task has
            /// taken no ID.
            ///
            /// Raises:
            ///     SnowmintError: like ``next_id``.
            #[pyo3(signature = (*, wait_ms=None))]
            fn next_id_async<'py>(
                slf: Bound<'py, Self>,
                wait_ms: Option<$crate::number::Int<u64>>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let py = slf.py();
                let wait = $crate::polls::bound(py, wait_ms, slf.get().inner.wait())?.as_secs_f64();
                $crate::minting::coroutine("next_id", (slf, wait), py)
            }

            /// Returns a coroutine for the next ``count`` IDs, like ``next_ids``. It waits like
            /// ``next_id_async``, for each block within the bound. The IDs that a cancelled task
            /// had are a gap.
            ///
            /// Raises:
            ///     SnowmintError: like ``next_ids``.
            #[pyo3(signature = (count, *, wait_ms=None))]
            fn next_ids_async<'py>(
                slf: Bound<'py, Self>,
                count: $crate::number::Count,
                wait_ms: Option<$crate::number::Int<u64>>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let py = slf.py();
                let source = &*slf.get().inner;
                let wait = $crate::polls::bound(py, wait_ms, source.wait())?;
                let (count, day) = $crate::polls::count(py, source, count, wait)?;
                let wait = wait.as_secs_f64();
                $crate::minting::coroutine("next_ids", (slf, count, wait, day), py)
            }

            #[pyo3(name = "_poll_id")]
            fn poll_id(&self, py: Python<'_>) -> PyResult<$crate::polls::Polled<u64>> {
                $crate::polls::poll_id(py, &*self.inner)
            }

            #[pyo3(name = "_poll_block")]
            fn poll_block<'py>(
                &self,
                py: Python<'py>,
                at_most: usize,
            ) -> PyResult<$crate::polls::Polled<Bound<'py, PyAny>>> {
                $crate::polls::poll_block(py, &*self.inner, at_most)
            }

            /// Returns the state of the source. Changes nothing, calls no store and never waits
            /// for one.
            fn stats(&self, py: Python<'_>) -> $crate::stats::Stats {
                $crate::stats::Stats::ask(py, || self.inner.stats())
            }

            fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
                slf
            }

            #[inline]
            fn __next__(&self, py: Python<'_>) -> PyResult<u64> {
                $crate::minting::next_id(py, &*self.inner)
            }

            fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
                slf
            }

            #[pyo3(signature = (*_exception))]
            fn __exit__(
                &self,
                py: Python<'_>,
                _exception: &Bound<'_, pyo3::types::PyTuple>,
            ) -> PyResult<()> {
                $crate::minting::close(py, &*self.inner)
            }

            fn __aiter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
                slf
            }

            fn __anext__<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                Self::next_id_async(slf, None)
            }

            fn __aenter__<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                let py = slf.py();
                $crate::minting::coroutine("entered", (slf,), py)
            }

            #[pyo3(signature = (*_exception))]
            fn __aexit__<'py>(
                slf: Bound<'py, Self>,
                _exception: &Bound<'py, pyo3::types::PyTuple>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let py = slf.py();
                $crate::minting::coroutine("exited", (slf,), py)
            }

            fn __reduce__(&self) -> PyResult<()> {
                Err($crate::minting::not_pickled(stringify!($class)))
            }
        }
    };
}
pub(crate) use source_methods;
