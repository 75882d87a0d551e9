//! The statements that create what a store needs.

/// The statements that a store's tables needed, or would need. The tables have one version so far:
/// they are either complete or missing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Migration {
    /// The place of the tables: the file, or the server and its database.
    pub place: String,
    /// The kind of storage: tables or a key space.
    pub kept_in: KeptIn,
    /// The statements that create it, in order; empty if nothing is missing. Statements that only
    /// limit waiting times are left out.
    pub statements: Vec<String>,
}

/// The way in which a store keeps its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeptIn {
    /// Tables, created by SQL statements.
    Tables,
    /// A key space, begun by a command of the server's own client.
    KeySpace,
}
