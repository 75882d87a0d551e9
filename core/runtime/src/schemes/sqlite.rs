//! The URLs `sqlite:path`. Opening a file may take over from a store whose file was replaced, with
//! what that store had given.

use std::path::PathBuf;
use std::sync::Arc;

use crate::error::Result;
use crate::errors;
use crate::store::opened::Opened;
use crate::store::scheme::StoreScheme;
use crate::store::sqlite::{filling, numbers};
use crate::store::{Fills, SqliteBuilder, SqliteStore};
use crate::store_handle::StoreState;
use crate::url::{Address, Parameters};

pub(super) const SCHEME: StoreScheme = StoreScheme {
    name: "sqlite",
    alias: None,
    tls: false,
    example: "ids.db",
    parameters: |_| SqliteStore::builder().names(),
    open: |_, address, own| {
        let (builder, path) = file(address, own)?;
        Ok(shared(builder, path)?)
    },
    numbers: |_, address, own, column, wanted| numbers(file(address, own)?.1, column, wanted),
    fillings: |_, address, own, fills| match fills {
        Fills::Column(column) => {
            let (_, path) = file(address, own)?;
            Ok(filling(path, column)?.into_iter().collect())
        }
        Fills::Sequence(_) => Ok(Vec::new()),
    },
    migrate: |_, address, own, is_dry| {
        let (builder, path) = file(address, own)?;
        builder.migrate(path, is_dry)
    },
    examine: |_, address, own| {
        let (builder, path) = file(address, own)?;
        builder.examine(path)
    },
};

fn file<'a>(address: &'a Address, parameters: &mut Parameters) -> Result<(SqliteBuilder, &'a str)> {
    let path = address.file("sqlite")?;
    if path.is_empty() {
        return Err(errors::schemes::file_missing());
    }
    Ok((SqliteStore::builder().configured(parameters)?, path))
}

/// Returns the store of a file, shared by all uses of its path in this process, with one scheduler
/// and one connection. If the path now leads to another file, that is opened, and gives nothing
/// that this process already had from the previous one.
fn shared(sqlite: SqliteBuilder, path: &str) -> Result<Arc<SqliteStore>> {
    static OPENED: Opened<PathBuf, SqliteStore> = Opened::new();
    let key = std::path::absolute(path).unwrap_or_else(|_| path.into());
    let (mut before, mut store) = (OPENED.find(&key), None);
    loop {
        if let Some(store) = &before
            && store.is_opened_by(sqlite)?
        {
            return Ok(Arc::clone(store));
        }
        // Without the lock, because other processes may lock the file for seconds.
        let fresh = match store.take() {
            Some(fresh) => fresh,
            None => Arc::new(sqlite.open(path)?),
        };
        if let Some(before) = &before {
            StoreState::hand_on(before, &fresh);
        }
        match OPENED.keep(&key, before.as_ref(), &fresh) {
            None => return Ok(fresh),
            meanwhile => (before, store) = (meanwhile, Some(fresh)),
        }
    }
}
