//! The functions that log events as messages of Java's `System.Logger`.
//!
//! Events are logged on the runtime's thread for listeners that may block. That thread joins Java
//! as a daemon for each event, so a handler that hangs delays neither a lease's renewal nor Java's
//! end. Each class loader that loads the library logs for itself, and is referenced weakly.

use std::sync::{Arc, Mutex, PoisonError};

use jni::objects::{JClass, JValue};
use jni::refs::Weak;
use jni::{Env, jni_sig, jni_str};
use snowmint::{Code, Event, Listening, Severity, on_event_aside};

use crate::callback::{callbacks, with_java};
use crate::exports::natives;

natives! {
    /// Starts logging events for the class loader of the caller.
    fn logEvents(env) {
        let class = callbacks(env)?;
        let class: Weak<JClass<'static>> = env.new_weak_ref(class)?;
        let place: Arc<Mutex<Option<Listening>>> = Arc::default();
        let own = Arc::clone(&place);
        let listening = on_event_aside(move |event| {
            // An error means that Java is ending. Exceptions of a logger are ignored.
            if let Ok(false) = with_java(|env| log(env, &class, event)) {
                // The class loader is gone.
                drop(own.lock().unwrap_or_else(PoisonError::into_inner).take());
            }
        });
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(listening);
        Ok(())
    }
}

/// Logs an event. Returns false if the class that logs is gone.
fn log(
    env: &mut Env<'_>,
    class: &Weak<JClass<'static>>,
    event: &Event,
) -> jni::errors::Result<bool> {
    let Some(class) = class.upgrade_local(env)? else { return Ok(false) };
    let is_warning = event.kind.severity() == Severity::Warning;
    let text = env.new_string(line(event))?;
    let logged = env.call_static_method(
        &class,
        jni_str!("log"),
        jni_sig!((jboolean, JString) -> void),
        &[JValue::Bool(is_warning), JValue::Object(&text)],
    );
    if logged.is_err() {
        env.exception_clear();
    }
    Ok(true)
}

/// Returns an event's message: `lease_lost: … (source=snowflake, worker_id=7, code=lease_lost)`.
fn line(event: &Event) -> String {
    let mut facts = format!("source={}", event.source);
    if let Some(tag) = &event.tag {
        facts += &format!(", tag={tag}");
    }
    if let Some(worker_id) = event.worker_id {
        facts += &format!(", worker_id={worker_id}");
    }
    if let Some(code) = event.code {
        facts += &format!(", code={}", Code::name(code));
    }
    format!("{}: {} ({facts})", event.kind.name(), event.message)
}
