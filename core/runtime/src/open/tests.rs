use std::collections::{BTreeMap, BTreeSet};

#[cfg(feature = "sqlite")]
use snowmint_engine::Code;

use super::*;
use crate::schemes::STORES;
use crate::sources::Mint;

/// A kind or scheme, true if it is on a store, and a parameter.
type Row = (&'static str, bool, String);

fn of_the_table() -> BTreeSet<Row> {
    let own = SOURCES.iter().flat_map(|kind| {
        kind.parameters().map(|name| (kind.name, kind.is_on_store(), name.to_owned()))
    });
    let stores = STORES.iter().flat_map(|scheme| {
        scheme.parameters().into_iter().map(|name| (scheme.name, true, name.to_owned()))
    });
    own.chain(stores).collect()
}

/// The cells of the tables in URLS.md, which the documentation of [`open`] includes, that have this
/// number of columns.
#[cfg(all(
    feature = "sqlite",
    feature = "postgres",
    feature = "mysql",
    feature = "redis",
    feature = "etcd",
    feature = "service",
    feature = "zookeeper"
))]
fn documented<const COLUMNS: usize>() -> Vec<[&'static str; COLUMNS]> {
    let lines = include_str!("../../URLS.md").lines().filter_map(|line| line.strip_prefix("| "));
    lines
        .filter_map(|line| {
            let cells: Vec<_> = line.trim_end_matches(" |").split(" | ").collect();
            cells.try_into().ok()
        })
        .skip(1)
        .collect()
}

#[test]
#[cfg(all(
    feature = "sqlite",
    feature = "postgres",
    feature = "mysql",
    feature = "redis",
    feature = "etcd",
    feature = "service",
    feature = "zookeeper"
))]
fn the_documentation_has_what_the_tables_have() {
    let mut rows = BTreeSet::new();
    for [names, of, _] in documented::<3>() {
        if of == "of" {
            continue; // the head of another table
        }
        for name in names.split(", ").map(|name| name.trim_matches('`').to_owned()) {
            for of in of.split(", ") {
                let alone = of.strip_suffix(':');
                let kinds = SOURCES.iter().map(|kind| (kind.name, kind.is_on_store()));
                let known = kinds.chain(STORES.iter().map(|scheme| (scheme.name, true)));
                let meant: Vec<_> = known
                    .filter(|(kind, on_store)| match alone {
                        Some(alone) => *kind == alone && !on_store,
                        None => *kind == of,
                    })
                    .collect();
                assert!(!meant.is_empty(), "{of} is of no table");
                rows.extend(meant.into_iter().map(|(kind, on)| (kind, on, name.clone())));
            }
        }
    }
    assert_eq!(rows, of_the_table());
    let urls: Vec<_> = documented::<2>().iter().map(|[url, _]| url.trim_matches('`')).collect();
    for kind in SOURCES {
        let plus = if kind.is_on_store() { "+" } else { ":" };
        let begins = format!("{}{plus}", kind.name);
        assert!(urls.iter().any(|url| url.starts_with(&begins)), "{begins}");
    }
}

/// A parameter belongs either to a source or to a store.
#[test]
fn parameters_of_sources_and_stores_differ() {
    for scheme in STORES {
        for kind in SOURCES {
            let both = kind.parameters().find(|name| scheme.parameters().contains(name));
            assert_eq!(both, None, "of {} and {}", kind.name, scheme.name);
        }
    }
}

/// Parameters whose values no message may show.
#[test]
fn the_secret_parameters_are_known() {
    for (kind, _, name) in of_the_table() {
        let is_secret = match kind {
            "postgres" => ["password", "passfile"].contains(&&*name),
            "redis+sentinel" | "rediss+sentinel" => {
                ["password", "sentinel_password"].contains(&&*name)
            }
            "mysql" | "redis" | "rediss" | "redis+cluster" | "rediss+cluster" | "etcd"
            | "etcds" | "zookeeper" | "zookeepers" => name == "password",
            "http" | "https" => ["token", "token_file"].contains(&&*name),
            _ => false,
        };
        assert_eq!(crate::secrets::is_secret(&name), is_secret, "{name} of {kind}");
    }
}

/// A parameter that is listed but not read would be ignored: `open` asserts that none is left.
#[test]
#[cfg(feature = "sqlite")]
fn every_parameter_of_the_tables_is_taken() {
    let directory = tempfile::tempdir().unwrap();
    let shown = directory.path().display().to_string();
    let further = format!("sqlite:{shown}/further.db");
    let options = TagOptions::default().stride(2);
    let of_another_class = open_store(&format!("{further}?create=true")).unwrap();
    let orders = Tag::within("shop", "orders").unwrap();
    of_another_class.create_tag(&orders, options.start(2)).unwrap();
    let ids = open_store(&format!("sqlite:{shown}/ids.db?create=true")).unwrap();
    let key_space = ids.key_space().unwrap().unwrap().to_string();
    let values = BTreeMap::from([
        ("at", &*further),
        ("key", "42"),
        ("worker_id", "7"),
        ("layout", "time:41,worker:10,sequence:12"),
        ("epoch_ms", "1700000000000"),
        ("tick_ms", "1"),
        ("policy", "twitter"),
        ("max_ahead_ms", "5"),
        ("start", "zero"),
        ("reserve_ms", "1000"),
        ("state", &shown),
        ("require_state", "false"),
        ("wait_ms", "100"),
        ("tag", "orders"),
        ("namespace", "shop"),
        ("step", "10"),
        ("runway", "60s"),
        ("prefetch", "50"),
        ("zone", "UTC"),
        ("digits", "6"),
        ("keys_per_section", "10"),
        ("ring", "64"),
        ("ring_refill", "50"),
        ("ring_every_ms", "100"),
        ("version", "4"),
        // A file with a given key space must exist already.
        ("create", "false"),
        ("key_space", &*key_space),
        ("shared_file", "true"),
    ]);
    let query = |names: &[&'static str]| {
        names.iter().map(|name| format!("{name}={}", values[name])).collect::<Vec<_>>().join("&")
    };
    for kind in SOURCES {
        if !kind.is_on_store() {
            open(&format!("{}:?{}", kind.name, query(&kind.parameters().collect::<Vec<_>>())))
                .unwrap();
            continue;
        }
        // Parameters of servers are tested with their URLs.
        for scheme in STORES.iter().filter(|scheme| scheme.name == "sqlite") {
            let store = format!("{shown}/ids.db?{}", query(&scheme.parameters()));
            let tags = open_store(&format!("{}:{store}", scheme.name)).unwrap();
            let orders = Tag::within("shop", "orders").unwrap();
            drop(tags.create_tag(&orders, options));
            // A source takes a step or a runway, not both.
            for left_out in ["step", "runway"] {
                let taken = kind.parameters().filter(|name| *name != left_out);
                let own = query(&taken.collect::<Vec<_>>());
                open(&format!("{}+{}:{store}&{own}", kind.name, scheme.name)).unwrap();
            }
        }
    }
}

#[test]
#[cfg(feature = "sqlite")]
fn a_wrong_url_is_refused_with_a_hint_at_the_right_one() {
    let refused = |url: &str| open(url).map(drop).unwrap_err();
    for (url, code, hint) in [
        ("snowflake:?worker=7", Code::UnknownParameter, "did you mean worker_id?: snowflake takes"),
        (
            "segment+sqlite:ids.db?tga=a",
            Code::UnknownParameter,
            "did you mean tag?: segment takes tag, namespace, step, runway, prefetch, at, key, ",
        ),
        (
            "segment+sqlite:ids.db?tag=a&worker_id=7",
            Code::UnknownParameter,
            "\"worker_id\": segment",
        ),
        ("uuid:?create=true", Code::UnknownParameter, "uuid takes version"),
        ("snowflke:?worker_id=7", Code::UnknownScheme, "did you mean snowflake?"),
        (
            "segment+sqlit:ids.db",
            Code::UnknownScheme,
            "did you mean sqlite? It is by segment+sqlite:",
        ),
        ("segment:ids.db", Code::UnknownScheme, "segment+sqlite:ids.db?tag=orders"),
        ("segment+memory:?tag=a", Code::InvalidUrl, "name the store"),
        ("uuid+sqlite:ids.db", Code::UnknownScheme, "but by uuid:?version=7"),
        ("sqlite:ids.db", Code::UnknownScheme, "snowflake+sqlite:…, segment+sqlite:…?tag=orders"),
        ("snowflake://host?worker_id=7", Code::InvalidUrl, "there: write snowflake:?worker_id=7"),
        ("snowflake://?worker_id=7", Code::InvalidUrl, "there: write snowflake:?worker_id=7"),
        ("uuid://", Code::InvalidUrl, "there: write uuid:"),
        (
            "snowflake+sqlite://localhost/dir/ids.db",
            Code::InvalidUrl,
            "//localhost/dir/ids.db names",
        ),
        ("snowflake+sqlite://ids.db", Code::InvalidUrl, "write sqlite:ids.db"),
        ("snowflake+sqlite:?create=true", Code::InvalidUrl, "names no file"),
        ("sequences+sqlite:ids.db", Code::InvalidTag, "add ?tag="),
        ("segment+sqlite:ids.db?tag=a&runway=60", Code::InvalidParameter, "as 60s or 5m"),
        ("segment+sqlite:ids.db?tag=a&runway=-1s", Code::InvalidParameter, "as 60s or 5m"),
        ("segment+sqlite:ids.db?tag=a&runway=25h", Code::InvalidParameter, "use 1ms to 24h"),
        (
            "segment+sqlite:ids.db?tag=a&runway=60s&step=10",
            Code::InvalidParameter,
            "set one of them",
        ),
        (
            "sequences+sqlite:ids.db?tag=a&keys_per_section=0",
            Code::InvalidParameter,
            "0 keys a section",
        ),
    ] {
        let error = refused(url);
        assert_eq!(error.code(), code, "{url}: {error}");
        assert!(error.to_string().contains(hint), "{url}: {error}");
    }
    let error = open_store("sqlit:ids.db").map(drop).unwrap_err();
    assert!(error.to_string().contains("did you mean sqlite? It is by sqlite:ids.db"));
    #[cfg(feature = "redis")]
    assert!(refused("redis+sentinel://a/m/0").to_string().contains("snowflake+redis+sentinel:…"));
}

/// Each URL contains the secret, and none can be opened.
#[test]
fn no_message_shows_a_secret() {
    let ends = [
        "postgres://ann:S3CRET@db:5432/ids?sslmode=require",
        "postgres://ann:S3C/RET@db/ids",
        "postgres://ann:S3C?RET@db/ids",
        "postgres//ann:S3CRET@db/ids",
        "postgres:ann:S3CRET@db/ids",
        "mysql://ann:S3C/RET@db/ids",
        "mysql://db/ids?password=S3CRET&ssl-mode=no",
        "//ann:S3CRET@db/ids",
        "S3CRET@db/ids",
        "S3CRET@db:5432/ids",
        "ann:S3CRET@db",
        "redis://:S3CRET@cache",
        "redis://S3CRET@cache",
        "etcd://S3CRET@a,b",
        "etcds://ann:S3CRET@a?certfile=c.pem",
        "zookeepers://ann:S3CRET@a?certfile=c.pem",
        "redis+sentinel://a/ids/0?sentinel_password=S3CRET&durability=no",
        "http://ann:S3CRET@a/orders",
        "http://a/orders?token_file=t&token=S3CRET",
        "https://a/orders?certfile=c.pem&token=S3CRET",
        "https://a/orders?token=S3C%20RET",
        "sqlite://ann:S3CRET@db/ids.db",
        "sqlite://ann:S3C/RET@db/ids.db",
        "sqlite://ann:123?S3CRET=1@db",
        "sqlite://ann:S3CRET@db:port/ids.db?tag=a",
        "sqlite:none.db?password=S3CRET",
        "sqlite:none.db?pasword=S3CRET&tag=a",
        "sqlite:none.db?token=S3CRET&S3CRET",
        "sqlite:none.db?sslpassword=a&S3CRET=b",
        "sqlite?password=S3CRET",
        "sqlite?password=S3CRET:x",
        "memory://ann:S3CRET@db",
        "memory:ann:S3CRET@db",
        "memory:?password=S3CRET",
        ":ann:S3CRET@db",
    ];
    let kinds = ["", "snowflake+", "segment+", "daily+", "sequences+", "uuid+", "nosuch+"];
    let alone =
        ["snowflake://ann:S3CRET@db?worker_id=7", "uuid:ann:S3CRET@db", "uuid:?token=S3CRET"];
    let sources = kinds.iter().flat_map(|kind| ends.map(|end| format!("{kind}{end}")));
    let hidden = |url: &str, error: Error| {
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains("S3C") && !shown.contains("RET"), "{url}: {shown}");
    };
    for url in sources.chain(alone.map(str::to_owned)) {
        hidden(&url, open(&url).map(drop).unwrap_err());
        hidden(&url, open_store(&url).map(drop).unwrap_err());
    }
}

#[test]
#[cfg(feature = "sqlite")]
fn a_namespace_has_numbers_of_its_own() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("ids.db");
    let store = format!("sqlite:{}?create=true", file.display());
    let admin = open_store(&store).unwrap();
    for kind in ["segment", "daily"] {
        let of = |namespace| {
            let url = format!("{kind}+{store}&tag=orders{namespace}");
            open(&url).unwrap().next_id().unwrap()
        };
        assert_eq!(of(""), of("&namespace=shop"), "{kind}");
    }
    let sections = format!("sequences+{store}&tag=chat&namespace=shop");
    assert_eq!(open(&sections).unwrap().next_of(1).unwrap(), 1);
    let names: Vec<_> = admin.tags().unwrap().into_iter().map(|row| row.tag).collect();
    assert!(names.contains(&Tag::of_row("shop/chat:0").unwrap()), "{names:?}");
    let wrong = format!("segment+{store}&tag=orders&namespace=a/b");
    assert_eq!(open(&wrong).unwrap_err().code(), Code::InvalidTag);
}
