//! A transaction of a session, with the statements of its database.

use snowmint_engine::Code;

use super::{Database, Fault, Row, Session, Terms, tables};
use crate::error::Error;
use crate::store::parameters::{Value, filled, named};
use crate::store::remote::errors::sql::value_excluded;
use crate::store::remote::succession::cure;
use crate::store::sql::workers::LOCK_DATABASE;
use crate::store::sql::{self, Change, Row as _, Statements, Transaction as _};
use crate::store::{
    Incarnation, KeySpaceId, KnownKeySpace, Tag, mysql, postgres, sqlite, unknown_tag,
};

/// A statement that changes nothing, and takes the lock of SQLite's file as a change does.
const LOCK_FILE: &str = "UPDATE snowmint_schema SET is_only = 1 WHERE is_only = 0";

const H2: Statements = Statements {
    tags: concat!(
        include_str!("h2/tags.sql"),
        "tag = coalesce(CAST(:tag AS VARCHAR), tag) ORDER BY tag"
    ),
    tag_lock: concat!(include_str!("h2/tags.sql"), "tag = :tag FOR UPDATE"),
    insert_tag: include_str!("../sql/insert_tag.sql"),
    update_tag: include_str!("../sql/update_tag.sql"),
    confirm: None,
    allocate: Change::whole(include_str!("h2/allocate.sql")),
    workers: include_str!("h2/workers.sql"),
    insert_lease: include_str!("../sql/insert_lease.sql"),
    update_lease: include_str!("../sql/update_lease.sql"),
    renew: &[include_str!("h2/renew.sql")],
    lock: &[LOCK_DATABASE],
    database: include_str!("h2/database.sql"),
    write_database: include_str!("h2/write_database.sql"),
};

impl sql::Row for Row {
    type Fault = Fault;

    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn optional_text(&self, at: usize) -> Result<Option<String>, Fault> {
        Ok(self.get(at).cloned().flatten())
    }

    fn optional_number(&self, at: usize) -> Result<Option<i64>, Fault> {
        let number = |text: String| text.parse();
        self.optional_text(at)?.map(number).transpose().map_err(|_| self.excluded(at))
    }

    /// Each database has its own words for true.
    fn flag(&self, at: usize) -> Result<bool, Fault> {
        let text = self.text(at)?;
        Ok(["1", "t", "true"].iter().any(|word| text.eq_ignore_ascii_case(word)))
    }

    fn excluded(&self, at: usize) -> Fault {
        value_excluded(&format!("value in column {}", at + 1)).into()
    }
}

/// A transaction in snowmint's tables.
pub(super) struct Transaction<'a> {
    session: &'a mut dyn Session,
    terms: &'a Terms,
    /// The bound for all its waits for locks.
    bound: [(&'static str, Value); 2],
    incarnation: Option<Incarnation>,
    server: Option<Incarnation>,
    key_space: Option<KeySpaceId>,
}

impl<'a> Transaction<'a> {
    /// Sets the bounds of a transaction, and asks which server it is on.
    pub(super) fn begin(
        session: &'a mut dyn Session,
        terms: &'a Terms,
    ) -> Result<Transaction<'a>, Fault> {
        // The server gives up first, while the connection is still usable.
        let lock_ms = (terms.answer_ms / 4 * 3).max(1);
        let bound = [
            ("lock_ms", Value::from(lock_ms.to_string().as_str())),
            ("lock_s", (lock_ms / 1_000).max(1).into()),
        ];
        let (incarnation, server, key_space) = (None, None, None);
        let mut begun = Transaction { session, terms, bound, incarnation, server, key_space };
        match begun.database() {
            Database::Postgres => begun.begin_postgres()?,
            Database::Mysql => begun.begin_mysql()?,
            Database::Sqlite | Database::H2 => {}
        }
        Ok(begun)
    }

    fn begin_postgres(&mut self) -> Result<(), Fault> {
        let [lock_ms, _] = self.bound.clone();
        let search_path = ("search_path", self.terms.schema.search_path().as_str().into());
        self.run(include_str!("../postgres/settings.sql"), &[lock_ms, search_path])?;
        let asked = [self.is_synchronous()];
        let told = self.run(include_str!("../postgres/incarnation.sql"), &asked)?.pop();
        let told = told.unwrap_or_default();
        self.incarnation = told.optional_text(0)?.map(Into::into);
        self.server = told.optional_text(2)?.map(Into::into);
        Ok(())
    }

    fn begin_mysql(&mut self) -> Result<(), Fault> {
        // The bounds are of the connection, which its owner gets back as it was.
        self.run(include_str!("../mysql/keep_bounds.sql"), &[])?;
        self.session.at_end(include_str!("../mysql/restore_bounds.sql"))?;
        let bound = self.bound.clone();
        self.run(include_str!("../mysql/bounds.sql"), &bound)?;
        self.run(include_str!("../mysql/begins.sql"), &[])?;
        self.run(include_str!("../mysql/incarnation.sql"), &[])?;
        let told = self.run(include_str!("../mysql/vouched.sql"), &[])?.pop();
        self.incarnation = told.unwrap_or_default().optional_text(0)?.map(Into::into);
        self.server = self.incarnation.clone();
        Ok(())
    }

    pub(super) fn database(&self) -> Database {
        self.session.database()
    }

    pub(super) fn terms(&self) -> &'a Terms {
        self.terms
    }

    pub(super) fn session(&mut self) -> &mut dyn Session {
        self.session
    }

    /// Returns the bound for waits for locks, as parameters of statements.
    pub(super) fn bound(&self) -> [(&'static str, Value); 2] {
        self.bound.clone()
    }

    /// Returns true if servers of this database may take each other's place.
    pub(super) fn is_of_server(&self) -> bool {
        matches!(self.database(), Database::Postgres | Database::Mysql)
    }

    /// Returns the value for the statement that asks which server of PostgreSQL this is.
    pub(super) fn is_synchronous(&self) -> (&'static str, Value) {
        ("is_synchronous", u32::from(self.terms.is_synchronous).into())
    }

    /// Locks SQLite's file: of two transactions that read before they change, one would fail.
    pub(super) fn lock_file(&mut self) -> Result<(), Fault> {
        if self.database() == Database::Sqlite {
            self.run(LOCK_FILE, &[])?;
        }
        Ok(())
    }

    /// Checks that the tables are of the known key space.
    pub(super) fn check_key_space(&mut self, known: &KnownKeySpace) -> Result<(), Fault> {
        let file = match self.database() {
            Database::Postgres => include_str!("../postgres/key_space.sql"),
            Database::Mysql => include_str!("../mysql/key_space.sql"),
            Database::Sqlite => include_str!("../sqlite/key_space.sql"),
            Database::H2 => include_str!("../mysql/key_space.sql"),
        };
        let Some(row) = self.run(file, &[])?.pop() else {
            return Err(self.why_unseen()?.unwrap_or_else(|| tables::row_lost(self)).into());
        };
        let id = row.text(0)?.parse()?;
        known.check(id)?;
        self.key_space = Some(id);
        Ok(())
    }

    /// Returns rows, unless there are none and some may be hidden from this user.
    pub(super) fn seen<T>(
        &mut self,
        find: impl FnOnce(&mut Self) -> Result<Vec<T>, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let found = find(self)?;
        match found.is_empty().then(|| self.why_unseen()).transpose()?.flatten() {
            Some(unseen) => Err(unseen.into()),
            None => Ok(found),
        }
    }

    /// Runs the statement of a file, and returns its rows.
    pub(super) fn run(&mut self, file: &str, values: &[(&str, Value)]) -> Result<Vec<Row>, Fault> {
        let (text, values) = self.prepared(file, values);
        Ok(self.session.rows(&text, &values)?)
    }

    /// Puts a question mark in place of each name, and returns the values in their order.
    fn prepared(&self, file: &str, values: &[(&str, Value)]) -> (String, Vec<super::Value>) {
        let has_names_as_bytes = self.database() == Database::Mysql;
        let mut all = Vec::new();
        let text = filled(file, |name| {
            all.push(match named(values, name).clone() {
                Value::Name(Some(name)) if has_names_as_bytes => {
                    super::Value::Bytes(name.into_bytes())
                }
                Value::Text(Some(text)) | Value::Name(Some(text)) => super::Value::Text(text),
                Value::Number(Some(number)) => super::Value::Number(number),
                Value::Bytes(bytes) => super::Value::Bytes(bytes),
                Value::Text(None) | Value::Name(None) | Value::Number(None) => super::Value::Null,
            });
            "?".to_owned()
        });
        (text.trim().to_owned(), all)
    }

    /// Bounds the wait of the next statement by the rest of the transaction's time, so that others
    /// wait no longer either if the server goes on after its client has left.
    fn bound_wait(&mut self) -> Result<(), Fault> {
        let file = match self.database() {
            Database::Postgres => include_str!("../postgres/lock_wait.sql"),
            Database::Mysql => include_str!("../mysql/lock_wait.sql"),
            Database::Sqlite | Database::H2 => return Ok(()),
        };
        let bound = self.bound();
        self.run(file, &bound).map(drop)
    }
}

impl sql::Transaction for Transaction<'_> {
    type Fault = Fault;
    type Row<'r> = Row;

    fn statements(&self) -> &'static Statements {
        match self.database() {
            Database::Postgres => &postgres::rows::STATEMENTS,
            Database::Mysql => &mysql::rows::STATEMENTS,
            Database::Sqlite => &sqlite::rows::STATEMENTS,
            Database::H2 => &H2,
        }
    }

    fn batch<T>(
        &mut self,
        statements: &[&str],
        values: &[(&str, Value)],
        read: impl FnMut(usize, &Row) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let mut answers = Vec::new();
        for statement in statements {
            self.bound_wait()?;
            answers.push(self.run(statement, values)?);
        }
        sql::each_row(&answers, read)
    }

    fn change(&mut self, statement: &str, values: &[(&str, Value)]) -> Result<bool, Fault> {
        self.bound_wait()?;
        let (text, values) = self.prepared(statement, values);
        Ok(self.session.change(&text, &values)? > 0)
    }

    fn each<T, const N: usize>(
        &mut self,
        Change { change, look }: Change<'_>,
        values: &[[(&str, Value); N]],
        mut read: impl FnMut(&Row) -> Result<T, Fault>,
    ) -> Result<Vec<Vec<T>>, Fault> {
        let each = values.iter().map(|values| match look {
            "" => self.query(change, values, &mut read),
            _ if self.change(change, values)? => self.query(look, values, &mut read),
            _ => Ok(Vec::new()),
        });
        each.collect()
    }

    fn incarnation(&self) -> Option<Incarnation> {
        self.incarnation.clone()
    }

    fn key_space(&self) -> Option<KeySpaceId> {
        self.key_space
    }

    fn server(&self) -> Option<Incarnation> {
        self.server.clone()
    }

    fn terms(&self) -> Result<[String; 2], Fault> {
        Ok(match self.database() {
            Database::Postgres => postgres::rows::terms(&self.terms.schema),
            _ => mysql::rows::terms(),
        })
    }

    fn no_tables(&self) -> Fault {
        tables::row_lost(self).into()
    }

    fn why_unseen(&mut self) -> Result<Option<Error>, Fault> {
        let schema = &self.terms.schema;
        match self.database() {
            Database::Postgres => postgres::tables::why_unseen(self, schema),
            _ => Ok(None),
        }
    }

    fn tag_of_another_server(&self, tag: &Tag) -> Error {
        match self.database() {
            Database::Postgres => postgres::errors::tag_of_another_server(tag, &cure(&self.server)),
            Database::Mysql => mysql::errors::tag_of_another_server(tag, &cure(&self.server)),
            Database::Sqlite | Database::H2 => unknown_tag(tag),
        }
    }

    fn tag_not_made(&self, code: Code, tag: &Tag) -> Error {
        match self.database() {
            Database::Postgres => postgres::errors::tag_not_made(code, tag, &cure(&self.server)),
            Database::Mysql => mysql::errors::tag_not_made(code, tag, &cure(&self.server)),
            Database::Sqlite | Database::H2 => unknown_tag(tag),
        }
    }
}
