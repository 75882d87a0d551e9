//! Layouts: how the 64 bits of an ID are divided.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use snowmint::{FieldKind, names};

use crate::columns::{Columns, decode};
use crate::error::{self, exception, or_raise};
use crate::number::{Int, Named as _};
use crate::parts::Parts;
use crate::pickled::{Reduced, named, reduced};
use crate::policy::{ClockPolicy, SequenceStart};
use crate::text::IdArgument;
use crate::time::{Moment, datetime};

/// A division of 64 bits into fields: time, worker ID, sequence. It is checked when it is built.
/// Immutable, hashable, picklable.
///
/// Every preset is an attribute: ``Layout.TWITTER``, ``Layout.DISCORD``, …; ``presets()`` lists
/// them.
///
/// Args:
///     fields: the fields from the top bit down, such as ``time:41,worker:10,sequence:12``.
///         ``zero:N`` and ``constant:N=V`` are constants. Bits left over are zeros at the top.
///         Names of fields are ``time``, ``datacenter``, ``worker``, ``process``, ``shard``,
///         ``sequence``, ``rollback``.
///     epoch: the epoch, in Unix milliseconds or as an aware ``datetime``.
///     tick_ms: the length of a tick, in milliseconds.
///
/// Raises:
///     LayoutError: ``invalid_layout``, with the reason.
#[pyclass(frozen, eq, hash, module = "snowmint")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Layout(pub(crate) snowmint::Layout);

/// A layout argument: a `Layout`, a preset's name, or fields.
#[derive(Clone, Copy)]
pub(crate) struct LayoutArgument(pub(crate) snowmint::Layout);

impl<'a, 'py> FromPyObject<'a, 'py> for LayoutArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(layout) = object.cast::<Layout>() {
            return Ok(LayoutArgument(layout.get().0));
        }
        let Ok(text) = object.extract::<String>() else {
            return Err(PyTypeError::new_err("a layout is a Layout or a text"));
        };
        or_raise(object.py(), names::layout(&text)).map(LayoutArgument)
    }
}

/// Returns the `repr` of a layout: its preset's name, or its fields, epoch and tick.
pub(crate) fn describe(layout: &snowmint::Layout) -> String {
    match snowmint::Preset::ALL.iter().find(|preset| preset.layout == *layout) {
        Some(preset) => format!("Layout.{}", constant_name(preset)),
        None => format!(
            "snowmint.Layout('{}', epoch={}, tick_ms={})",
            layout.fields_text(),
            layout.epoch_ms(),
            layout.tick_ms()
        ),
    }
}

/// Returns the name of a preset's attribute.
fn constant_name(preset: &snowmint::Preset) -> String {
    preset.name.to_ascii_uppercase().replace('-', "_")
}

/// Adds the presets to the class as attributes.
pub(crate) fn add_presets(class: &Bound<'_, PyType>) -> PyResult<()> {
    snowmint::Preset::ALL
        .iter()
        .try_for_each(|preset| class.setattr(constant_name(preset), Layout(preset.layout)))
}

#[pymethods]
impl Layout {
    #[new]
    #[pyo3(
        signature = (fields, *, epoch=Moment(0), tick_ms=Int::Of(1)),
        text_signature = "(fields, *, epoch=0, tick_ms=1)"
    )]
    fn new(py: Python<'_>, fields: &str, epoch: Moment, tick_ms: Int<u32>) -> PyResult<Layout> {
        if let Some(preset) = snowmint::Preset::ALL.iter().find(|preset| preset.name == fields) {
            let error = error::layout_of_preset(preset.name, &constant_name(preset));
            return Err(exception(py, &error));
        }
        if fields.contains('@') {
            return Err(exception(py, &error::layout_with_epoch()));
        }
        let builder = or_raise(py, snowmint::Layout::builder().fields(fields))?;
        let builder = builder.epoch_ms(epoch.0).tick_ms(tick_ms.named(py, "tick_ms")?);
        or_raise(py, builder.build()).map(Layout)
    }

    /// Returns the layout of a text: a preset's name (``twitter``), fields, or a layout's
    /// ``str``. A ``str`` has epoch and tick; fields alone have ticks of 1 ms since 1970.
    ///
    /// Raises:
    ///     LayoutError: ``unknown_layout`` or ``invalid_layout``.
    #[staticmethod]
    fn named(py: Python<'_>, text: &str) -> PyResult<Layout> {
        or_raise(py, names::layout(text)).map(Layout)
    }

    /// Returns every preset: the layouts of known systems, and how these systems use them.
    #[staticmethod]
    fn presets() -> Vec<Preset> {
        snowmint::Preset::ALL.iter().map(Preset::of).collect()
    }

    /// The fields in the form that the constructor reads:
    /// ``zero:1,time:41,worker:10,sequence:12``.
    #[getter]
    fn text(&self) -> String {
        self.0.fields_text().to_string()
    }

    /// The fields, from the top bit down.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let fields = self.0.fields().iter().enumerate();
        let fields = fields.map(|(at, field)| Field { field: *field, layout: *self, at });
        PyTuple::new(py, fields.collect::<Vec<_>>())
    }

    /// The epoch, in Unix milliseconds.
    #[getter]
    fn epoch_ms(&self) -> i64 {
        self.0.epoch_ms()
    }

    /// The epoch, as an aware ``datetime`` in UTC.
    ///
    /// Raises:
    ///     ParameterError: ``invalid_time`` outside the years 1 to 9999.
    #[getter]
    fn epoch<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.0.epoch_ms())
    }

    /// The length of a tick, in milliseconds.
    #[getter]
    fn tick_ms(&self) -> u32 {
        self.0.tick_ms()
    }

    /// The number of ticks that the time field counts.
    #[getter]
    fn ticks(&self) -> u64 {
        self.0.ticks()
    }

    /// The width of the worker ID in bits: all worker fields side by side, the upper first.
    #[getter]
    fn worker_bits(&self) -> u32 {
        self.0.worker_bits()
    }

    /// The largest worker ID.
    #[getter]
    fn max_worker_id(&self) -> u32 {
        self.0.max_worker_id()
    }

    /// The number of IDs that one worker can mint in a tick.
    #[getter]
    fn ids_per_tick(&self) -> u64 {
        self.0.ids_per_tick()
    }

    /// The number of IDs that one worker can mint in a second, on average.
    #[getter]
    fn ids_per_second(&self) -> u64 {
        self.0.ids_per_second()
    }

    /// The first moment that the layout cannot express, in Unix milliseconds.
    #[getter]
    fn expires_ms(&self) -> i64 {
        self.0.expires_ms()
    }

    /// The first moment that the layout cannot express, as an aware ``datetime`` in UTC.
    ///
    /// Raises:
    ///     ParameterError: ``invalid_time`` after the year 9999.
    #[getter]
    fn expires<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.0.expires_ms())
    }

    /// Returns which of its IDs fit ``bits`` bits: 63 for a signed integer, 53 for a JavaScript
    /// number.
    fn fits(&self, py: Python<'_>, bits: Int<u32>) -> PyResult<Fit> {
        Ok(Fit(self.0.fits(bits.named(py, "bits")?)))
    }

    /// Splits an ID into its parts. The ID is an integer, or its decimal digits.
    ///
    /// Raises:
    ///     LayoutError: ``id_not_in_layout`` if constant bits differ.
    ///     ParameterError: if it is not a number of 64 bits.
    ///     TextError: if the text is not decimal digits.
    fn decode(&self, py: Python<'_>, id: IdArgument) -> PyResult<Parts> {
        or_raise(py, self.0.decode(id.0)).map(Parts)
    }

    /// Splits many IDs into their parts at once, with the interpreter's lock released. ``ids``
    /// is a buffer of 64-bit integers (``array('Q')``, numpy, memoryview), a column of pandas or
    /// pyarrow, or any integers. Signed integers of a buffer are taken bit by bit.
    ///
    /// Raises:
    ///     LayoutError: ``id_not_in_layout``, with the index of the first such ID.
    ///     TypeError: for neither a buffer nor integers, with the index of the value that is not an
    ///         integer, is missing or is masked.
    ///     ParameterError: for more than 64 bits, with the index; for items of another size; or for
    ///         anything but one column, such as a frame or an array of two dimensions.
    fn decode_many(&self, ids: &Bound<'_, PyAny>) -> PyResult<Columns> {
        decode(&self.0, ids)
    }

    /// Builds an ID from its parts; the time is rounded down to its tick.
    ///
    /// Raises:
    ///     LayoutError: ``time_out_of_range``, or ``field_out_of_range`` for a value that does not
    ///         fit.
    fn encode(&self, py: Python<'_>, parts: &Bound<'_, Parts>) -> PyResult<u64> {
        or_raise(py, self.0.encode(parts.get().0))
    }

    /// Returns the smallest ID with the tick of a time: the start of a page by time. An ID
    /// minted later can be below the smallest ID of the present by up to 10 ms, because minting
    /// reads Linux's coarse clock.
    ///
    /// Raises:
    ///     LayoutError: ``time_out_of_range``.
    fn min_id(&self, py: Python<'_>, time: Moment) -> PyResult<u64> {
        or_raise(py, self.0.min_id(time.0))
    }

    /// Returns the largest ID with the tick of a time. The largest ID of the present does not
    /// bound the IDs minted so far, whose time may be ahead of the clock by their generator's
    /// ``max_ahead_ms``.
    ///
    /// Raises:
    ///     LayoutError: ``time_out_of_range``.
    fn max_id(&self, py: Python<'_>, time: Moment) -> PyResult<u64> {
        or_raise(py, self.0.max_id(time.0))
    }

    /// Returns the tick of a time, counted from the tick of the epoch.
    ///
    /// Raises:
    ///     LayoutError: ``time_out_of_range``.
    fn tick_at(&self, py: Python<'_>, time: Moment) -> PyResult<u64> {
        or_raise(py, self.0.tick_at(time.0))
    }

    /// Builds a worker ID from its parts: ``worker_id(datacenter=11, worker=26)`` is 378 in
    /// Twitter's layout. Missing parts are 0.
    ///
    /// Raises:
    ///     LayoutError: ``field_out_of_range`` for a value that does not fit, or for a field that
    ///         the layout does not have.
    ///     TypeError: if no layout has a field of that name.
    #[pyo3(signature = (**parts))]
    fn worker_id(&self, py: Python<'_>, parts: Option<&Bound<'_, PyDict>>) -> PyResult<u32> {
        let mut values = Vec::new();
        for (name, value) in parts.into_iter().flatten() {
            let name: String = name.extract()?;
            let Some(kind) = FieldKind::from_name(&name) else {
                return Err(PyTypeError::new_err(format!("no field is called {name:?}")));
            };
            values.push((kind, value.extract::<Int<u32>>()?.named(py, &name)?));
        }
        or_raise(py, self.0.worker_id(&values))
    }

    /// Splits a worker ID into its parts, the upper first: 378 is
    /// ``{"datacenter": 11, "worker": 26}`` in Twitter's layout.
    ///
    /// Raises:
    ///     LayoutError: ``field_out_of_range`` above ``max_worker_id``.
    ///     ParameterError: if it is not a number of 32 bits.
    fn worker_parts<'py>(
        &self,
        py: Python<'py>,
        worker_id: Int<u32>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let worker_id = worker_id.named(py, "worker_id")?;
        let parts = PyDict::new(py);
        for (kind, value) in or_raise(py, self.0.worker_parts(worker_id))? {
            parts.set_item(kind.name(), value)?;
        }
        Ok(parts)
    }

    /// Writes the whole layout as ``named`` reads it: fields, epoch and tick.
    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        describe(&self.0)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((String,), Bound<'py, PyDict>)> {
        let keywords = PyDict::new(py);
        keywords.set_item("epoch", self.0.epoch_ms())?;
        keywords.set_item("tick_ms", self.0.tick_ms())?;
        Ok(((self.text(),), keywords))
    }
}

/// A run of bits in an ID.
#[pyclass(frozen, eq, hash, module = "snowmint")]
pub(crate) struct Field {
    field: snowmint::Field,
    /// The layout of the field, and the field's place in it. A pickle stores these two, because no
    /// field is made alone.
    layout: Layout,
    at: usize,
}

impl PartialEq for Field {
    fn eq(&self, other: &Field) -> bool {
        self.field == other.field
    }
}

impl std::hash::Hash for Field {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.field.hash(state);
    }
}

#[pymethods]
impl Field {
    /// The kind of its content: ``time``, ``worker``, ``sequence``, ``constant``, …
    #[getter]
    fn kind(&self) -> &'static str {
        self.field.kind().name()
    }

    /// Its width in bits.
    #[getter]
    fn bits(&self) -> u32 {
        self.field.bits()
    }

    /// The number of bits below it.
    #[getter]
    fn shift(&self) -> u32 {
        self.field.shift()
    }

    /// The largest value that it holds.
    #[getter]
    fn max(&self) -> u64 {
        self.field.max()
    }

    /// Returns its value in an ID.
    fn of(&self, py: Python<'_>, id: Int<u64>) -> PyResult<u64> {
        Ok(self.field.of(id.named(py, "id")?))
    }

    #[staticmethod]
    fn _of(layout: &Bound<'_, Layout>, at: usize) -> PyResult<Field> {
        let layout = *layout.get();
        let field = named(layout.0.fields().get(at), "field at", &at.to_string())?;
        Ok(Field { field: *field, layout, at })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Layout, usize)> {
        reduced::<Self, _>(py, (self.layout, self.at))
    }

    fn __repr__(&self) -> String {
        let (kind, bits, shift) = (self.kind(), self.bits(), self.shift());
        format!("Field(kind='{kind}', bits={bits}, shift={shift})")
    }
}

/// The IDs of a layout that fit a number of bits.
#[pyclass(frozen, eq, hash, module = "snowmint")]
#[derive(PartialEq, Eq)]
pub(crate) struct Fit(snowmint::Fit);

impl std::hash::Hash for Fit {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.__str__().hash(state);
    }
}

#[pymethods]
impl Fit {
    /// ``always``, ``until`` (then ``until_ms`` says when) or ``never``.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0 {
            snowmint::Fit::Always => "always",
            snowmint::Fit::Until(_) => "until",
            snowmint::Fit::Never => "never",
        }
    }

    /// IDs fit if they are minted before this time, in Unix milliseconds; ``None`` unless
    /// ``kind`` is ``until``.
    #[getter]
    fn until_ms(&self) -> Option<i64> {
        match self.0 {
            snowmint::Fit::Until(unix_ms) => Some(unix_ms),
            _ => None,
        }
    }

    #[staticmethod]
    fn _of(fits: bool, until_ms: Option<i64>) -> Fit {
        Fit(match until_ms {
            Some(unix_ms) => snowmint::Fit::Until(unix_ms),
            None if fits => snowmint::Fit::Always,
            None => snowmint::Fit::Never,
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (bool, Option<i64>)> {
        reduced::<Self, _>(py, (self.0 != snowmint::Fit::Never, self.until_ms()))
    }

    fn __str__(&self) -> String {
        match self.0 {
            snowmint::Fit::Until(unix_ms) => format!("until {unix_ms}"),
            _ => self.kind().to_owned(),
        }
    }

    fn __repr__(&self) -> String {
        format!("<snowmint.Fit {}>", self.__str__())
    }
}

/// A named layout, with the rules of its system.
#[pyclass(frozen, eq, hash, get_all, module = "snowmint")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Preset {
    /// The name in URLs and on the command line.
    pub(crate) name: &'static str,
    /// One line about its origin and peculiarities.
    note: &'static str,
    /// The layout.
    pub(crate) layout: Layout,
    /// The reaction of its system when the clock goes back or a tick is full.
    policy: ClockPolicy,
    /// The start of a fresh tick's sequence in its system.
    start: SequenceStart,
}

impl std::hash::Hash for Preset {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl Preset {
    pub(crate) fn of(preset: &snowmint::Preset) -> Preset {
        Preset {
            name: preset.name,
            note: preset.note,
            layout: Layout(preset.layout),
            policy: ClockPolicy(preset.policy),
            start: SequenceStart(preset.start),
        }
    }
}

#[pymethods]
impl Preset {
    #[staticmethod]
    pub(crate) fn _of(name: &str) -> PyResult<Preset> {
        named(snowmint::Preset::from_name(name), "preset", name).map(Preset::of)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (&'static str,)> {
        reduced::<Self, _>(py, (self.name,))
    }

    pub(crate) fn __repr__(&self) -> String {
        format!("<snowmint.Preset '{}'>", self.name)
    }
}
