//! Public IDs: texts that outsiders see instead of an ID.

use std::path::PathBuf;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use snowmint::public_ids::{self, NumberWidth, PublicIdForm};

use crate::buffer::{self, BLOCK, Lent, array_of, column};
use crate::calls::Stay;
use crate::error::or_raise;
use crate::number::{Int, Named as _};
use crate::text::readable;
use crate::uuids;
use crate::wait::detached;

/// The keys of public IDs, which are forms of IDs that reveal neither order nor number nor time.
/// ``public_ids("order")`` returns the public IDs of one type.
///
/// Keys are 16 to 32 random bytes. The binary makes and rotates them with
/// ``snowmint public-ids keygen`` and ``rotate``; or ``generate()`` makes them and ``to_toml()``
/// stores them. Anybody who has the keys can read every public ID ever made. Keep them as long as
/// links should work.
///
/// - Threads, forks: any; it does not change. Open it once, at import, and let forked workers
///   inherit it.
/// - It cannot be pickled, and its ``repr`` shows no key.
#[pyclass(frozen, module = "snowmint")]
pub(crate) struct PublicIdKeys(public_ids::PublicIdKeys);

#[pymethods]
impl PublicIdKeys {
    /// Reads the keys of a file, or of an environment variable by ``env:NAME`` (``env:`` is
    /// ``SNOWMINT_PUBLIC_ID_KEYS``). The document is TOML, or JSON on one line. Only the owner may
    /// have access to the file.
    ///
    /// Raises:
    ///     ParameterError: ``invalid_keys``, ``keys_exposed``; no message shows a part of a key.
    #[staticmethod]
    fn open(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<PublicIdKeys> {
        let opened = match source.cast::<PyString>() {
            Ok(source) => public_ids::PublicIdKeys::open(source.to_str()?),
            Err(_) => public_ids::PublicIdKeys::from_file(source.extract::<PathBuf>()?),
        };
        or_raise(py, opened).map(PublicIdKeys)
    }

    /// Reads the same document from memory, for example from a secret manager.
    ///
    /// Raises:
    ///     ParameterError: ``invalid_keys``.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, document: &[u8]) -> PyResult<PublicIdKeys> {
        or_raise(py, public_ids::PublicIdKeys::from_bytes(document)).map(PublicIdKeys)
    }

    /// Makes one new random key, for tests or to be stored with ``to_toml()``.
    ///
    /// Raises:
    ///     StoreError: ``no_resource``, if the system gives no random numbers.
    #[staticmethod]
    fn generate(py: Python<'_>) -> PyResult<PublicIdKeys> {
        or_raise(py, public_ids::PublicIdKeys::generate()).map(PublicIdKeys)
    }

    /// Returns the document of these keys, which ``open`` and ``from_bytes`` read. It contains
    /// the keys, so write it to a file that only its owner may read.
    fn to_toml<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::new(py, &self.0.to_toml())
    }

    /// Returns the public IDs of one type, such as ``order``: small letters, digits and
    /// underscores. They refuse the public IDs of other types.
    ///
    /// Args:
    ///     form: ``token`` (``order_1…``), ``base64url`` (the same in 22 symbols instead of 26),
    ///         ``uuid`` (version 8), or ``number64``, ``number63`` and ``number53``, which are not
    ///         checked.
    ///
    /// Raises:
    ///     ParameterError: if it is not a type.
    ///     TextError: ``unknown_text_form``.
    #[pyo3(signature = (r#type, form="token"))]
    fn public_ids(&self, py: Python<'_>, r#type: &str, form: &str) -> PyResult<PublicIds> {
        let form = or_raise(py, form.parse::<PublicIdForm>())?;
        or_raise(py, self.0.public_ids(r#type, form)).map(PublicIds)
    }

    /// The realm, which separates these IDs from others under the same keys; empty by
    /// default.
    #[getter]
    fn realm(&self) -> &str {
        self.0.realm()
    }

    /// The symbols of all keys. Each key can read public IDs.
    #[getter]
    fn symbols(&self) -> Vec<char> {
        self.0.symbols().collect()
    }

    /// The symbol of the key that makes new public IDs.
    #[getter]
    fn current(&self) -> char {
        self.0.current()
    }

    /// The symbol of the key for numbers; ``None`` if there are several and none is named.
    #[getter]
    fn numbers(&self) -> Option<char> {
        self.0.numbers()
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("PublicIdKeys"))
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __repr__(&self) -> String {
        let symbols: Vec<String> = self.0.symbols().map(String::from).collect();
        format!("<snowmint.PublicIdKeys of keys {}>", symbols.join(", "))
    }
}

/// The public IDs of one type, in one form. ``PublicIdKeys.public_ids`` returns them.
///
/// - Deterministic: an ID has one public ID for each key, so the same ID can be recognised.
/// - Not a permission: still check who may see the order.
/// - Refused: a token that was altered or made up, except one in 2**64 (one in 2**58 for a UUID and
///   each key). Numbers are never refused. All ``not_found`` are alike and take the same time, and
///   do not tell the reason. Reading a good one takes less time, because there is no exception.
/// - Threads, forks: any; it does not change.
#[pyclass(frozen, module = "snowmint")]
pub(crate) struct PublicIds(public_ids::PublicIds);

#[pymethods]
impl PublicIds {
    /// Returns the public form of an ID.
    ///
    /// Raises:
    ///     ParameterError: if it is not a number of 64 bits, or has more bits than the form
    ///         (``number63``, ``number53``).
    #[inline]
    fn encode<'py>(&self, py: Python<'py>, id: Int<u64>) -> PyResult<Bound<'py, PyString>> {
        match self.0.encode(id.named(py, "id")?) {
            // Borrowed in the place where it is made: moving the text would cost a third of the
            // time that making it takes.
            Ok(ref text) => PyString::from_bytes(py, text.as_bytes()),
            Err(error) => or_raise(py, Err(error)),
        }
    }

    /// Returns the ID of a public form.
    ///
    /// Raises:
    ///     TextError: ``wrong_type``, ``text_length``, ``invalid_text``, ``text_not_canonical``
    ///         and, for numbers, ``text_overflow`` name a fault that anybody can see in the text.
    ///         ``not_found`` does not tell more: the text was altered or made up, or is of another
    ///         realm or a missing key. The exception is a ``ValueError``.
    #[inline]
    fn decode(&self, py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<u64> {
        or_raise(py, self.read(text))
    }

    /// Returns the public forms of many IDs as a list of texts. ``ids`` is a buffer of 64-bit
    /// integers (``array('Q')``, numpy), a pandas Series, or any integers. Signed integers of a
    /// buffer are taken bit by bit.
    ///
    /// Raises:
    ///     TypeError: for neither a buffer nor integers, with the index of the value that is not an
    ///         integer, is missing or is masked.
    ///     ParameterError: like ``encode``, with the index; for items of another size; or for
    ///         anything but one column, such as a frame or an array of two dimensions.
    fn encode_many<'py>(&self, ids: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let py = ids.py();
        let ids = integers(ids)?;
        let texts = PyList::empty(py);
        for (round, block) in ids.chunks(BLOCK).enumerate() {
            let encode = |(at, &id): (usize, &u64)| {
                self.0.encode(id).map_err(|error| error.of_item(round * BLOCK + at))
            };
            let made = block.iter().enumerate().map(encode);
            if matches!(self.0.form(), PublicIdForm::Token(_)) {
                // Making them takes less time than releasing and retaking the interpreter's lock.
                for text in made {
                    texts.append(PyString::new(py, &or_raise(py, text)?))?;
                }
            } else {
                let made = detached(py, || Ok(made.collect::<public_ids::Result<Vec<_>>>()?))?;
                for text in made {
                    texts.append(PyString::new(py, &text))?;
                }
            }
            py.check_signals()?;
        }
        Ok(texts)
    }

    /// Returns the IDs of many public forms as an ``array('Q')``, which numpy takes without a
    /// copy. ``texts`` is a list, a numpy array, a pandas Series, or any texts. For a column of
    /// ``int64``, use ``numpy.asarray(ids).view("int64")``: ``uint64`` beside it would become
    /// ``float64``, which loses digits.
    ///
    /// Raises:
    ///     TypeError: for a value that is not a text, such as a missing value of a column, with its
    ///         index.
    ///     TextError: like ``decode``, for the first text that is refused, with its index.
    ///     ParameterError: for anything but one column, such as a frame or an array of two
    ///         dimensions.
    fn decode_many<'py>(&self, texts: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = texts.py();
        if texts.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("several texts are required, not one: use decode"));
        }
        buffer::of_one_dimension(texts)?;
        let mut ids = Vec::new();
        let _stay = Stay::begin();
        for (at, text) in texts.try_iter()?.enumerate() {
            let text = text?;
            let text = text.cast::<PyString>().map_err(|_| {
                let found = buffer::class_name(&text);
                let of_pyarrow =
                    if found.ends_with("Scalar") { " (to_pylist() has texts)" } else { "" };
                PyTypeError::new_err(format!(
                    "a text is required, not {found}{of_pyarrow}; it has index {at}"
                ))
            })?;
            let id = self.read(text);
            ids.push(or_raise(py, id.map_err(|error| error.of_item(at)))?);
            if at % BLOCK == 0 {
                py.check_signals()?;
            }
        }
        array_of(py, ids.into_iter())
    }

    /// Returns the ID as a ``uuid.UUID`` of version 8, whatever the form.
    fn encode_uuid<'py>(&self, py: Python<'py>, id: Int<u64>) -> PyResult<Bound<'py, PyAny>> {
        uuids::object(py, &self.0.codec().encode_uuid(id.named(py, "id")?))
    }

    /// Returns the ID of a ``uuid.UUID``.
    ///
    /// Raises:
    ///     TypeError: if it is not a UUID.
    ///     TextError: ``not_found``.
    fn decode_uuid(&self, uuid: &Bound<'_, PyAny>) -> PyResult<u64> {
        let bytes = uuids::bytes(uuid)?;
        or_raise(uuid.py(), self.0.codec().decode_uuid(bytes))
    }

    /// Returns the ID as another number of so many bits: 64, 63 or 53.
    ///
    /// Raises:
    ///     ParameterError: for more bits, for another width, or if no key is for numbers.
    #[pyo3(signature = (id, bits=Int::Of(64)), text_signature = "($self, id, bits=64)")]
    fn encode_number(&self, py: Python<'_>, id: Int<u64>, bits: Int<u32>) -> PyResult<u64> {
        let id = id.named(py, "id")?;
        let width = NumberWidth::from_bits(bits.named(py, "bits")?);
        or_raise(py, width.and_then(|width| self.0.codec().encode_number(id, width)))
    }

    /// Returns the ID of such a number. Every number has an ID, so a made-up number is not
    /// detected. It is better to read a number from a user as text, by ``decode`` of the form
    /// ``number53``: any fault is then a ``TextError``.
    ///
    /// Raises:
    ///     ParameterError: like ``encode_number``; it is a ``ValueError``.
    #[pyo3(signature = (number, bits=Int::Of(64)), text_signature = "($self, number, bits=64)")]
    fn decode_number(&self, py: Python<'_>, number: Int<u64>, bits: Int<u32>) -> PyResult<u64> {
        let number = number.named(py, "number")?;
        let width = NumberWidth::from_bits(bits.named(py, "bits")?);
        or_raise(py, width.and_then(|width| self.0.codec().decode_number(number, width)))
    }

    /// The type.
    #[getter]
    fn r#type(&self) -> &str {
        self.0.codec().kind()
    }

    /// The name of the form.
    #[getter]
    fn form(&self) -> &'static str {
        self.0.form().name()
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("PublicIds"))
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __repr__(&self) -> String {
        format!("<snowmint.PublicIds of type '{}', form '{}'>", self.r#type(), self.form())
    }
}

impl PublicIds {
    /// Returns the ID of a text.
    #[inline]
    fn read(&self, text: &Bound<'_, PyString>) -> public_ids::Result<u64> {
        self.0.decode(&readable(text))
    }
}

/// Returns the integers of a column, a buffer or an iterable.
fn integers(ids: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    let lent = Lent::<u64>::readable(&column(ids)?)?;
    let mut copy = Vec::with_capacity(lent.len());
    lent.read(|_, block| {
        copy.extend_from_slice(block);
        Ok(())
    })?;
    Ok(copy)
}

fn not_pickled(what: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "{what} cannot be pickled: it has keys; open them in each process, or let processes inherit \
         it by fork"
    ))
}
