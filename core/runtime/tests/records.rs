//! Events as records of `log` and `tracing`.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use log::kv::{Key, Value, VisitSource};
use log::{LevelFilter, Log, Metadata, Record};
use snowmint::{Clock, Layout, MemoryStore, Mint, Snowflake, System};

/// The records that were logged, each as a line.
static LOGGED: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Logger;

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "snowmint"
    }

    fn log(&self, record: &Record<'_>) {
        let mut line = format!("{} {} {}", record.level(), record.target(), record.args());
        record.key_values().visit(&mut Pairs(&mut line)).unwrap();
        LOGGED.lock().unwrap().push(line);
    }

    fn flush(&self) {}
}

struct Pairs<'line>(&'line mut String);

impl<'kvs> VisitSource<'kvs> for Pairs<'_> {
    fn visit_pair(&mut self, key: Key<'kvs>, value: Value<'kvs>) -> Result<(), log::kv::Error> {
        *self.0 += &format!(" {key}={value}");
        Ok(())
    }
}

#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_event_is_one_record_of_each_facade() {
    log::set_logger(&Logger).unwrap();
    log::set_max_level(LevelFilter::Info);
    let output = Output::default();
    let writer = output.clone();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone());
    tracing::subscriber::set_global_default(subscriber.finish()).unwrap();

    let epoch_ms = System.now_ms() + 30 * 86_400_000 - (1 << 34);
    let layout = Layout::builder().time(34).worker(10).sequence(12).epoch_ms(epoch_ms);
    let builder = Snowflake::builder().layout(layout.build().unwrap());
    let flake = builder.lease_from(Arc::new(MemoryStore::new())).open().unwrap();
    let worker_id = flake.stats().worker_id.unwrap();

    let logged = LOGGED.lock().unwrap().clone();
    let [line] = &logged[..] else { panic!("{logged:?}") };
    assert!(line.starts_with("WARN snowmint the layout's time field runs out at "), "{line}");
    let text = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
    let [traced] = text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
    assert!(traced.contains("WARN snowmint: the layout's time field runs out at "), "{traced}");
    let worker_id = format!("worker_id={worker_id} ");
    for line in [line, traced] {
        assert!(line.contains(&worker_id), "{line}");
    }
    assert!(line.contains(" event=expires_soon source=snowflake "), "{line}");
    assert!(traced.contains(r#" event="expires_soon" source="snowflake" "#), "{traced}");
}
