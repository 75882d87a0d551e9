//! `sources.json`: what opened sources do, on a real file system and a real database.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use snowmint::{Mint, Result, Source, Tag, TagOptions, names, open, open_store};

/// One scenario: the sources by their handles, the last ID of each, and all IDs.
struct Run<'a> {
    directory: &'a str,
    sources: HashMap<&'a str, Source>,
    last: HashMap<&'a str, u64>,
    seen: HashSet<u64>,
}

impl<'a> Run<'a> {
    fn step(&mut self, case: &'a Value) {
        let result = match text(case, "op") {
            "create_tag" => self.create_tag(case),
            "open" => self.open(case),
            "close" => self.source(case).close(),
            "next_uuid" => self.source(case).next_uuid().map(|uuid| {
                assert_eq!(uuid.get_version_num() as u64, case["version"].as_u64().unwrap());
            }),
            "next_of" => self.source(case).next_of(wide(case, "key")).map(|number| {
                assert_eq!(number, wide(case, "number"), "{case}");
            }),
            "next_id" => self.source(case).next_id().map(|id| self.note(case, &[id])),
            "next_ids" => self.source(case).next_ids(count(case)).map(|ids| {
                assert_eq!(ids.len(), count(case));
                self.note(case, &ids);
            }),
            "fill" => {
                let mut ids = vec![0; count(case)];
                self.source(case).fill(&mut ids).map(|()| self.note(case, &ids))
            }
            other => panic!("no step {other}"),
        };
        let error = result.err().map(|error| error.code().name());
        assert_eq!(error, case["error"].as_str(), "{case}");
    }

    fn source(&self, case: &Value) -> Source {
        self.sources[text(case, "of")].clone()
    }

    fn path(&self, case: &Value, key: &str) -> String {
        text(case, key).replace("{dir}", self.directory)
    }

    fn create_tag(&self, case: &Value) -> Result<()> {
        let wide = |key, usual| case[key].as_str().map_or(usual, |text| text.parse().unwrap());
        let usual = TagOptions::default();
        let options = usual
            .start(wide("start", usual.start))
            .step(wide("step", usual.step))
            .stride(wide("stride", usual.stride))
            .max(wide("max", usual.max));
        let store = open_store(&self.path(case, "store"))?;
        store.create_tag(&Tag::of_row(text(case, "tag"))?, options)
    }

    fn open(&mut self, case: &'a Value) -> Result<()> {
        let source = open(&self.path(case, "url"))?;
        let kind = match &source {
            Source::Snowflake(_) => "snowflake",
            Source::Segment(_) => "segment",
            Source::Daily(_) => "daily",
            Source::Sequences(_) => "sequences",
            Source::Uuid(_) => "uuid",
            Source::Ring(_) => "ring",
            other => panic!("{other:?}"),
        };
        assert_eq!(kind, text(case, "kind"));
        self.sources.insert(text(case, "as"), source);
        Ok(())
    }

    /// Checks that the IDs are new, above those before of the same handle, and those expected.
    fn note(&mut self, case: &'a Value, ids: &[u64]) {
        let last = self.last.entry(text(case, "of")).or_default();
        for &id in ids {
            assert!(id > *last, "{id} after {last} in {case}");
            assert!(self.seen.insert(id), "{id} again in {case}");
            *last = id;
        }
        let shown: Vec<_> = ids.iter().map(|id| Value::String(id.to_string())).collect();
        if let Some(expected) = case["ids"].as_array() {
            assert_eq!(&shown, expected);
        }
        if let Some(expected) = case["id"].as_str() {
            assert_eq!(shown, [expected]);
        }
        if let Some(layout) = case["layout"].as_str() {
            let parts = names::layout(layout).unwrap().decode(ids[0]).unwrap();
            assert_eq!(Some(u64::from(parts.worker_id)), case["worker_id"].as_u64(), "{case}");
        }
    }
}

#[test]
fn scenarios() {
    let path = snowmint_conformance::directory().join("sources.json");
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for scenario in document["scenarios"].as_array().unwrap() {
        let directory = tempfile::tempdir().unwrap();
        let mut run = Run {
            directory: directory.path().to_str().unwrap(),
            sources: HashMap::new(),
            last: HashMap::new(),
            seen: HashSet::new(),
        };
        for (at, step) in scenario["steps"].as_array().unwrap().iter().enumerate() {
            println!("{}: steps[{at}]", text(scenario, "name")); // shown where the test fails
            run.step(step);
        }
    }
}

fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_else(|| panic!("no text {key} in {case}"))
}

fn wide(case: &Value, key: &str) -> u64 {
    text(case, key).parse().unwrap()
}

fn count(case: &Value) -> usize {
    usize::try_from(case["count"].as_u64().unwrap()).unwrap()
}
