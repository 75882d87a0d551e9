//! Stores on a `DataSource`: Java runs transactions and statements, and the runtime says which.

use std::sync::Arc;

use jni::errors::Error as JniError;
use jni::objects::{JObject, JObjectArray, JString, JValue};
use jni::refs::Weak;
use jni::sys::{jboolean, jint, jlong};
use jni::{Env, jni_sig, jni_str};
use snowmint::Store;
use snowmint::sessions::{
    Database, Ended, Failed, Row, Session, SessionStore, Sessions, Terms, Value,
};

use crate::argument::{long_array, narrow, optional_text};
use crate::callback::{callbacks, with_java};
use crate::errors;
use crate::exports::natives;
use crate::failure::{Failure, Result};
use crate::handle::give;
use crate::users_store::{failed, thrown};

/// What the errors of Java's side are about.
const WHAT: &str = "transaction";

/// The object of Java that runs transactions. Java holds it during each call. Held here, it would
/// keep its class loader, and with that the store, from being collected.
struct Transactions(Weak<JObject<'static>>);

/// The work in a transaction, which Java passes back while it runs that.
type Work<'a> = &'a mut dyn FnMut(&mut dyn Session) -> Ended;

impl Sessions for Transactions {
    fn transact(&self, mut work: Work<'_>) -> snowmint::Result<()> {
        let work = (&raw mut work) as jlong;
        let run = with_java(|env| -> Result<()> {
            let transactions = self.0.upgrade_local(env)?.ok_or_else(errors::store_let_go)?;
            let class = callbacks(env)?;
            let arguments = [JValue::Object(&transactions), JValue::Long(work)];
            let signature = jni_sig!((JObject, jlong) -> void);
            match env.call_static_method(&class, jni_str!("transact"), signature, &arguments) {
                Err(JniError::JavaException) => Err(thrown(env, &class, WHAT).into()),
                run => Ok(run.map(drop)?),
            }
        });
        run.map_err(|failure| failed(failure, WHAT))
    }
}

/// A transaction of Java. Its failure is a pending exception, or else kept here.
struct Transaction<'a, 'local> {
    env: &'a mut Env<'local>,
    object: &'a JObject<'local>,
    database: Database,
    failure: Option<Failure>,
}

type Answer<T> = std::result::Result<T, Failed>;

impl Transaction<'_, '_> {
    fn call<T>(&mut self, call: impl FnOnce(&mut Env<'_>, &JObject<'_>) -> Result<T>) -> Answer<T> {
        let object = self.object;
        self.env.with_local_frame(16, |env| call(env, object)).map_err(|failure| {
            self.failure = Some(failure);
            Failed
        })
    }
}

impl Session for Transaction<'_, '_> {
    fn database(&self) -> Database {
        self.database
    }

    fn rows(&mut self, statement: &str, values: &[Value]) -> Answer<Vec<Row>> {
        self.call(|env, object| {
            let (statement, values) = (env.new_string(statement)?, objects(env, values)?);
            let arguments = [JValue::Object(&statement), JValue::Object(&values)];
            let signature = jni_sig!((JString, JObject[]) -> JObject[]);
            let rows = env.call_method(object, jni_str!("rows"), signature, &arguments)?.l()?;
            let rows = env.cast_local::<JObjectArray<'_>>(rows)?;
            let mut found = Vec::new();
            for at in 0..rows.len(env)? {
                found.push(env.with_local_frame(4, |env| row(env, &rows, at))?);
            }
            Ok(found)
        })
    }

    fn change(&mut self, statement: &str, values: &[Value]) -> Answer<u64> {
        self.call(|env, object| {
            let (statement, values) = (env.new_string(statement)?, objects(env, values)?);
            let arguments = [JValue::Object(&statement), JValue::Object(&values)];
            let signature = jni_sig!((JString, JObject[]) -> jlong);
            let count = env.call_method(object, jni_str!("change"), signature, &arguments)?.j()?;
            Ok(u64::try_from(count).unwrap_or_default())
        })
    }

    fn at_end(&mut self, statement: &str) -> Answer<()> {
        self.call(|env, object| {
            let statement = env.new_string(statement)?;
            let arguments = [JValue::Object(&statement)];
            env.call_method(object, jni_str!("atEnd"), jni_sig!((JString) -> void), &arguments)?;
            Ok(())
        })
    }

    fn without_tables(&mut self) -> Failed {
        let failed = self.call(|env, object| {
            env.call_method(object, jni_str!("withoutTables"), jni_sig!(() -> void), &[])?;
            Ok(())
        });
        failed.err().unwrap_or(Failed)
    }
}

/// Returns values as Java's objects: strings, arrays of bytes, arrays of one number, and nulls.
fn objects<'local>(env: &mut Env<'local>, values: &[Value]) -> Result<JObjectArray<'local>> {
    let objects = JObjectArray::<JObject<'_>>::new(env, values.len(), JObject::null())?;
    for (at, value) in values.iter().enumerate() {
        env.with_local_frame(4, |env| -> Result<()> {
            let object: JObject<'_> = match value {
                Value::Null => JObject::null(),
                Value::Text(text) => env.new_string(text)?.into(),
                Value::Number(number) => long_array(env, &[*number])?.into(),
                Value::Bytes(bytes) => env.byte_array_from_slice(bytes)?.into(),
            };
            Ok(objects.set_element(env, at, &object)?)
        })?;
    }
    Ok(objects)
}

/// Reads a row, whose values are strings or null.
fn row(env: &mut Env<'_>, rows: &JObjectArray<'_>, at: usize) -> Result<Row> {
    let row = rows.get_element(env, at)?;
    let row = env.cast_local::<JObjectArray<'_>>(row)?;
    let mut values = Row::new();
    for at in 0..row.len(env)? {
        let value = row.get_element(env, at)?;
        let value = env.cast_local::<JString<'_>>(value)?;
        values.push(optional_text(env, &value)?);
        env.delete_local_ref(value);
    }
    Ok(values)
}

/// Returns a store on transactions of Java.
fn opened(
    env: &mut Env<'_>,
    transactions: &JObject<'_>,
    schema: &JString<'_>,
    key_space: &JString<'_>,
    is_synchronous: bool,
    answer_ms: jlong,
) -> Result<SessionStore<Transactions>> {
    let (schema, key_space) = (optional_text(env, schema)?, optional_text(env, key_space)?);
    let answer_ms = narrow("answerWithin", answer_ms)?;
    let terms = Terms::new(schema.as_deref(), key_space.as_deref(), is_synchronous, answer_ms)?;
    Ok(SessionStore::new(Transactions(env.new_weak_ref(transactions)?), terms))
}

natives! {
    fn openSessions(
        env,
        transactions: JObject<'local>,
        schema: JString<'local>,
        key_space: JString<'local>,
        is_synchronous: jboolean,
        answer_ms: jlong,
    ) -> jlong {
        let store = opened(env, &transactions, &schema, &key_space, is_synchronous, answer_ms)?;
        let store: Arc<dyn Store> = Arc::new(store);
        Ok(give(store))
    }

    /// Returns true if the tables are there, after making them if `create` is true.
    fn sessionsTables(
        env,
        transactions: JObject<'local>,
        schema: JString<'local>,
        key_space: JString<'local>,
        is_synchronous: jboolean,
        answer_ms: jlong,
        create: jboolean,
    ) -> jboolean {
        let store = opened(env, &transactions, &schema, &key_space, is_synchronous, answer_ms)?;
        Ok(if create { store.create_tables().map(|()| true)? } else { store.has_tables()? })
    }

    /// Does the work of `Sessions::transact`. Returns true if its transaction is to be committed.
    fn work(env, work: jlong, transaction: JObject<'local>, database: jint) -> jboolean {
        let database = match database {
            0 => Database::Sqlite,
            1 => Database::Postgres,
            2 => Database::Mysql,
            3 => Database::H2,
            _ => return Err(errors::shape_unknown("a database").into()),
        };
        // SAFETY: Java got the pointer from `transact`, which waits meanwhile, and passes it back
        // once at a time, on the same thread.
        let work = unsafe { &mut *(work as *mut Work<'_>) };
        let object = &transaction;
        let mut transaction = Transaction { env, object, database, failure: None };
        match work(&mut transaction) {
            Ended::Commit => Ok(true),
            Ended::RollBack => Ok(false),
            Ended::Failed => Err(transaction.failure.unwrap_or_else(|| errors::store_failed(WHAT).into())),
        }
    }
}
