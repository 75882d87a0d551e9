//! The operations on a store that its URL names.

use std::sync::Arc;

use super::{Column, Filling, Fills, Migration, Store, Wanted};
use crate::error::Result;
use crate::errors;
use crate::findings::Finding;
use crate::url::{Address, Parameters, Taker};

/// Everything that depends on the scheme of a store's URL.
pub(crate) struct StoreScheme {
    pub(crate) name: &'static str,
    /// A second name for the scheme.
    pub(crate) alias: Option<&'static str>,
    /// True if connections are secured by TLS because the scheme says so.
    pub(crate) tls: bool,
    /// The part of a valid URL after the colon.
    pub(crate) example: &'static str,
    pub(crate) parameters: fn(&StoreScheme) -> Vec<&'static str>,
    pub(crate) open: fn(&StoreScheme, &Address, &mut Parameters) -> Result<Arc<dyn Store>>,
    /// Reads numbers of a column of a database, which need not have snowmint's tables.
    pub(crate) numbers:
        fn(&StoreScheme, &Address, &mut Parameters, &Column, Wanted) -> Result<Vec<u64>>,
    /// Finds how the database fills columns by itself.
    pub(crate) fillings:
        fn(&StoreScheme, &Address, &mut Parameters, Fills<'_>) -> Result<Vec<Filling>>,
    /// Creates missing tables; with `is_dry` only returns the statements.
    pub(crate) migrate:
        fn(&StoreScheme, &Address, &mut Parameters, is_dry: bool) -> Result<Migration>,
    /// Examines the store for an operator.
    pub(crate) examine: fn(&StoreScheme, &Address, &mut Parameters) -> Result<Vec<Finding>>,
}

impl StoreScheme {
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name == name || self.alias == Some(name)
    }

    /// Returns true if the scheme alone opens a segment, whose tag is the path.
    pub(crate) fn is_short(&self, name: &str) -> bool {
        ["http", "https"].contains(&self.name) && self.is(name)
    }

    /// Returns the names of the parameters.
    pub(crate) fn parameters(&self) -> Vec<&'static str> {
        (self.parameters)(self)
    }

    pub(crate) fn taker(&self) -> Taker<'_> {
        Taker { called: self.name, names: self.parameters() }
    }
}

pub(crate) fn no_numbers(
    scheme: &StoreScheme,
    _: &Address,
    _: &mut Parameters,
    column: &Column,
    _: Wanted,
) -> Result<Vec<u64>> {
    Err(errors::schemes::store_without_columns(scheme.name, column))
}

pub(crate) fn no_fillings(
    _: &StoreScheme,
    _: &Address,
    _: &mut Parameters,
    _: Fills<'_>,
) -> Result<Vec<Filling>> {
    Ok(Vec::new())
}
