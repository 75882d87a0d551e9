//! What a store has to be made of, or is made of already.

/// What a store's tables needed, or would need. There is one version of them so far: they are as
/// they should be, or not there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Migration {
    /// Where the tables are: the file, or the server and its database.
    pub place: String,
    /// What a store of this kind is kept in.
    pub kept_in: KeptIn,
    /// What makes them, in its order; none where they are as they should be. What only bounds the
    /// waits between is left out.
    pub statements: Vec<String>,
}

/// What a store is kept in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeptIn {
    /// Tables, which statements of SQL make.
    Tables,
    /// A key space, which a command of its server's own client begins.
    KeySpace,
}
