//! Public IDs: the text that the outside sees in place of an ID.

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

/// The keys of public IDs, by which IDs get forms that show neither order nor number nor time.
/// ``public_ids("order")`` gives those of one type.
///
/// Keys are 16 to 32 random bytes, made and rotated by the binary's ``snowmint public-ids keygen`` and
/// ``rotate``, or made by ``generate()`` and kept by ``to_toml()``. Who has them reads every public ID
/// ever made. Keep them for as long as links should be read.
///
/// - Threads, forks: any; it does not change. Open it once, at import, and let forked workers
///   inherit it.
/// - It is not pickled, and its ``repr`` shows no key.
#[pyclass(frozen, module = "snowmint")]
pub(crate) struct PublicIdKeys(public_ids::PublicIdKeys);

#[pymethods]
impl PublicIdKeys {
    /// The keys of a file, or of an environment variable by ``env:NAME`` (``env:`` is
    /// ``SNOWMINT_PUBLIC_ID_KEYS``). The document is TOML, or JSON on one line. A file has to be its
    /// owner's alone.
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

    /// The keys of the same document in memory, where another keeper of secrets put it.
    ///
    /// Raises:
    ///     ParameterError: ``invalid_keys``.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, document: &[u8]) -> PyResult<PublicIdKeys> {
        or_raise(py, public_ids::PublicIdKeys::from_bytes(document)).map(PublicIdKeys)
    }

    /// One new random key: for tests, or to be kept by ``to_toml()``.
    ///
    /// Raises:
    ///     StoreError: ``no_resource``, if the system gives no random numbers.
    #[staticmethod]
    fn generate(py: Python<'_>) -> PyResult<PublicIdKeys> {
        or_raise(py, public_ids::PublicIdKeys::generate()).map(PublicIdKeys)
    }

    /// The document of these keys, as ``open`` and ``from_bytes`` read it. It has the keys: write it
    /// to a file for its owner alone.
    fn to_toml<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::new(py, &self.0.to_toml())
    }

    /// The public IDs of one type, as ``order``: small letters, digits and underscores. What is of
    /// another type is refused.
    ///
    /// Args:
    ///     form: ``token`` (``order_1…``), ``base64url`` (the same in 22 symbols for 26), ``uuid``
    ///         (of version 8), or ``number64``, ``number63`` and ``number53``, which are not checked.
    ///
    /// Raises:
    ///     ParameterError: no type.
    ///     TextError: ``unknown_text_form``.
    #[pyo3(signature = (r#type, form="token"))]
    fn public_ids(&self, py: Python<'_>, r#type: &str, form: &str) -> PyResult<PublicIds> {
        let form = or_raise(py, form.parse::<PublicIdForm>())?;
        or_raise(py, self.0.public_ids(r#type, form)).map(PublicIds)
    }

    /// What keeps these IDs apart from others under the same keys; empty if none was said.
    #[getter]
    fn realm(&self) -> &str {
        self.0.realm()
    }

    /// The symbols of all keys, which are read.
    #[getter]
    fn symbols(&self) -> Vec<char> {
        self.0.symbols().collect()
    }

    /// The symbol of the key that makes what is new.
    #[getter]
    fn current(&self) -> char {
        self.0.current()
    }

    /// The symbol of the key that numbers have; ``None`` if there are several and none is named.
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

/// The public IDs of one type, in one form: ``PublicIdKeys.public_ids`` gives it.
///
/// - Deterministic: an ID has one public ID for each key, by which it is recognised.
/// - No permission: ask who may see the order, as ever.
/// - Refused: a token that was altered or made up, but for one in 2**64 (a UUID, one in 2**58 a key);
///   numbers never. All that are not found are refused alike, in the same time as each other, and why
///   is not told. A good one takes less: no exception is made.
/// - Threads, forks: any; it does not change.
#[pyclass(frozen, module = "snowmint")]
pub(crate) struct PublicIds(public_ids::PublicIds);

#[pymethods]
impl PublicIds {
    /// The public form of an ID.
    ///
    /// Raises:
    ///     ParameterError: not a number of 64 bits; of a number, more bits than the form has.
    #[inline]
    fn encode<'py>(&self, py: Python<'py>, id: Int<u64>) -> PyResult<Bound<'py, PyString>> {
        match self.0.encode(id.named(py, "id")?) {
            // Borrowed where it is made: moving the text costs a third of the time it takes to make
            // it.
            Ok(ref text) => PyString::from_bytes(py, text.as_bytes()),
            Err(error) => or_raise(py, Err(error)),
        }
    }

    /// The ID of a public form.
    ///
    /// Raises:
    ///     TextError: ``wrong_type``, ``text_length``, ``invalid_text``, ``text_not_canonical`` and, of
    ///         numbers, ``text_overflow`` say what everybody sees in the text, ``not_found`` does not
    ///         tell more: it was altered, made up, or is of a key or realm that is not here. It is a
    ///         ``ValueError``.
    #[inline]
    fn decode(&self, py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<u64> {
        or_raise(py, self.read(text))
    }

    /// The public forms of many IDs, as a list of texts: of a buffer of 64-bit integers
    /// (``array('Q')``, numpy), where signed ones are taken bit by bit, of a pandas Series, or of
    /// any integers.
    ///
    /// Raises:
    ///     TypeError: neither a buffer nor integers, with the index of what is none, is missing or is
    ///         masked.
    ///     ParameterError: as ``encode``, with the index; items of another size, or no
    ///         one column, as a frame or an array of two dimensions is.
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

    /// The IDs of many public forms, as an ``array('Q')``, which numpy takes without a copy: of a
    /// list, a numpy array, a pandas Series, or of any texts. A column of ``int64`` has them by
    /// ``numpy.asarray(ids).view("int64")``: ``uint64`` beside it would become ``float64``, which loses
    /// digits.
    ///
    /// Raises:
    ///     TypeError: what is no text, as a missing value of a column is, with its index.
    ///     TextError: as ``decode``, of the first that is refused, with its index.
    ///     ParameterError: no one column, as a frame or an array of two dimensions is.
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

    /// The ID as a ``uuid.UUID`` of version 8, whatever the form.
    fn encode_uuid<'py>(&self, py: Python<'py>, id: Int<u64>) -> PyResult<Bound<'py, PyAny>> {
        uuids::object(py, &self.0.codec().encode_uuid(id.named(py, "id")?))
    }

    /// The ID of a ``uuid.UUID``.
    ///
    /// Raises:
    ///     TypeError: no UUID.
    ///     TextError: ``not_found``.
    fn decode_uuid(&self, uuid: &Bound<'_, PyAny>) -> PyResult<u64> {
        let bytes = uuids::bytes(uuid)?;
        or_raise(uuid.py(), self.0.codec().decode_uuid(bytes))
    }

    /// The ID as another number of so many bits: 64, 63 or 53.
    ///
    /// Raises:
    ///     ParameterError: more bits, another width, or no key that numbers have.
    #[pyo3(signature = (id, bits=Int::Of(64)), text_signature = "($self, id, bits=64)")]
    fn encode_number(&self, py: Python<'_>, id: Int<u64>, bits: Int<u32>) -> PyResult<u64> {
        let id = id.named(py, "id")?;
        let width = NumberWidth::from_bits(bits.named(py, "bits")?);
        or_raise(py, width.and_then(|width| self.0.codec().encode_number(id, width)))
    }

    /// The ID of such a number. Each number has one, made-up ones too. One that a user sent is better
    /// read as text, by ``decode`` of the form ``number53``: whatever is wrong with it is a
    /// ``TextError``.
    ///
    /// Raises:
    ///     ParameterError: as ``encode_number``; it is a ``ValueError``.
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
    /// The ID of a text.
    #[inline]
    fn read(&self, text: &Bound<'_, PyString>) -> public_ids::Result<u64> {
        self.0.decode(&readable(text))
    }
}

/// The integers of a column, a buffer or anything that has some.
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
