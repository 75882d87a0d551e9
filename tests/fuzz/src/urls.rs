//! Source URLs: any text opens a source or is a typed error, and one that cannot be read leaves the
//! disk alone.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use percent_encoding::percent_decode_str;
use snowmint::{Code, Mint, SegmentAdmin, Source, SqliteStore, Tag, TagOptions, open};

/// A database that is there, with the tag `orders`.
const DATABASE: &str = "ids.db";
/// The codes of faults of the URL itself, found before any file is opened.
const UNREADABLE: [Code; 9] = [
    Code::InvalidUrl,
    Code::UnknownScheme,
    Code::UnknownParameter,
    Code::UnknownLayout,
    Code::InvalidLayout,
    Code::InvalidParameter,
    Code::InvalidStep,
    Code::InvalidTime,
    Code::EpochInFuture,
];

/// A URL.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Some(url) = kept_here(text) else { return };
    static ALONE: Mutex<()> = Mutex::new(()); // there is one working directory
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let database = enter_directory();
    fs::write(DATABASE, database).expect("the directory is ours");
    match open(&url) {
        Ok(source) => {
            use_source(&source);
            source.close().unwrap_or_else(|error| crate::check_error(&error));
        }
        Err(error) => {
            crate::check_error(&error);
            if UNREADABLE.contains(&error.code()) {
                let mut found = fs::read_dir(".").expect("the directory is ours");
                let other = found.find(|it| it.as_ref().is_ok_and(|it| it.file_name() != DATABASE));
                assert!(other.is_none(), "{url:?} is unreadable and made {other:?}");
            }
        }
    }
    empty_directory();
}

/// The URL with its files in the working directory; `None` if they would be elsewhere.
fn kept_here(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once(':').unwrap_or(("", text));
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let leaves = |text: &str| text.contains(['/', '\\']) || text == "..";
    if leaves(path) {
        return None;
    }
    if scheme != "snowflake" {
        return Some(text.to_owned());
    }
    let decoded: Vec<u8> = percent_decode_str(query).collect();
    if leaves(&String::from_utf8_lossy(&decoded)) || query.contains("state=..") {
        return None;
    }
    // The state file would lie in the user's directory otherwise.
    let state = if query.contains("state=") { "" } else { "&state=here" };
    Some(format!("{scheme}:{path}?{query}{state}"))
}

fn use_source(source: &Source) {
    let mut ids = [0; 3];
    let outcomes = [
        source.next_id_within(Duration::ZERO).map(drop),
        source.next_uuid().map(drop),
        source.next_id_within(Duration::ZERO).map(|id| ids[0] = id),
    ];
    outcomes.into_iter().filter_map(Result::err).for_each(|error| crate::check_error(&error));
    if let (Some(layout), true) = (source.layout(), ids[0] != 0) {
        assert!(layout.decode(ids[0]).is_ok());
    }
}

/// Makes a temporary directory the working one, once; gives the content of the database.
fn enter_directory() -> &'static [u8] {
    static CONTENT: OnceLock<Vec<u8>> = OnceLock::new();
    CONTENT.get_or_init(|| {
        let directory = crate::temporary_directory().keep();
        std::env::set_current_dir(directory).expect("it was just made");
        let store = SqliteStore::create(DATABASE).expect("nothing is there yet");
        let tag = Tag::new("orders").expect("it is a tag");
        store.create_tag(&tag, TagOptions::default()).expect("it is the first");
        drop(store);
        fs::read(DATABASE).expect("it was just written")
    })
}

fn empty_directory() {
    for entry in fs::read_dir(".").expect("the directory is ours").flatten() {
        let path = entry.path();
        let remove: fn(&Path) -> _ = if path.is_dir() {
            |path| fs::remove_dir_all(path)
        } else {
            |path| fs::remove_file(path)
        };
        let _ = remove(&path);
    }
}
