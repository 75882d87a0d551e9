//! Writes `packages/c/include/snowmint.h` and `snowmint_engine.h` from the crate `snowmint-c` and the
//! engine's tables. `--check` only compares, and exits with 1 if a file is stale.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use cbindgen::{Builder, Config, DocumentationStyle, EnumConfig, Language, RenameRule, Style};
use snowmint::engine::{Code, MAX_DISTANCE, MAX_NUMBER, MAX_STEP};
use snowmint::{EventKind, MAX_COUNT, MAX_RESERVE_MS, MAX_TAG_LENGTH};

const INTRODUCTION: &str = include_str!("introduction.h");
const RULES: &str = include_str!("rules.h");
const INITIALISERS: &str = include_str!("initialisers.h");
const ENGINE: &str = include_str!("engine.h");

/// The modules of each part, in the order of the functions. The modules of the first part have the
/// ten functions that everybody needs, and nothing else.
const FIRST: &[&str] = &["source", "failure"];
const REST: &[&str] = &[
    "status",
    "version",
    "kinds",
    "range",
    "snowflake",
    "segment",
    "daily",
    "sequences",
    "stats",
    "event",
    "restore",
    "store",
    "tag",
    "worker_store",
    "layout",
    "guess",
    "text",
    "public_ids",
];
const MACHINES: &[&str] = &["machine", "range_buffer", "policy", "preset"];

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let check = match std::env::args().nth(1).as_deref() {
        None => false,
        Some("--check") => true,
        Some(other) => return Err(format!("{other}: the only option is --check").into()),
    };
    let binding = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let include = binding.join("../../packages/c/include");
    let mut stale = false;
    for (name, header) in [("snowmint.h", header()?), ("snowmint_engine.h", engine_header()?)] {
        let file = include.join(name);
        if !check {
            fs::write(&file, header)?;
        } else if fs::read_to_string(&file)? != header {
            eprintln!("error: {} is stale: scripts/package-c writes it", file.display());
            stale = true;
        }
    }
    Ok(if stale { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Returns the header in two parts, each with its types before its functions. The first part opens
/// the include guard, and the second part closes it.
fn header() -> Result<String, Box<dyn Error>> {
    let first = Config {
        header: Some(INTRODUCTION.trim_end().to_owned()),
        sys_includes: ["stdbool.h", "stddef.h", "stdint.h"].map(str::to_owned).to_vec(),
        after_includes: Some(STATUS.to_owned()),
        ..config()
    };
    let rest = Config {
        header: Some(format!("\n{}", RULES.trim_end())),
        after_includes: Some(tables()),
        trailer: Some(format!("{}\n\n#endif  /* SNOWMINT_H */", INITIALISERS.trim_end())),
        ..config()
    };
    Ok(part(first, FIRST)? + &part(rest, REST)?)
}

fn engine_header() -> Result<String, Box<dyn Error>> {
    let mut engine = Config {
        header: Some(ENGINE.trim_end().to_owned()),
        include_guard: Some("SNOWMINT_ENGINE_H".to_owned()),
        includes: vec!["snowmint.h".to_owned()],
        after_includes: Some(limits(&[(
            "MAX_DISTANCE",
            format!("{MAX_DISTANCE}u"),
            "The largest number of ranges kept behind the current one.",
        )])),
        ..config()
    };
    // The kinds of fields that are plain numbers, because C may put any number there.
    engine.export.include = ["snowmint_when_behind", "snowmint_when_full", "snowmint_start_kind"]
        .map(str::to_owned)
        .to_vec();
    part(engine, MACHINES)
}

/// Returns the C declarations of the public items in some modules.
fn part(config: Config, modules: &[&str]) -> Result<String, Box<dyn Error>> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src");
    let mut builder = Builder::new().with_config(config);
    for module in modules {
        builder = builder.with_src(sources.join(module).with_extension("rs"));
    }
    let mut written = Vec::new();
    builder.generate()?.write(&mut written);
    Ok(String::from_utf8(written)?)
}

fn config() -> Config {
    Config {
        language: Language::C,
        no_includes: true,
        cpp_compat: true,
        // Types by their names alone, because a part does not know the struct tags of the other
        // part.
        style: Style::Type,
        documentation_style: DocumentationStyle::Doxy,
        usize_is_size_t: true,
        line_length: 100,
        enumeration: EnumConfig {
            prefix_with_name: true,
            rename_variants: RenameRule::ScreamingSnakeCase,
            ..EnumConfig::default()
        },
        export: cbindgen::ExportConfig {
            exclude: ["snowmint_status", "snowmint_event_kind"].map(str::to_owned).to_vec(),
            ..cbindgen::ExportConfig::default()
        },
        ..Config::default()
    }
}

/// The type stands before the functions that return it; its numbers come after them.
const STATUS: &str = "
/**
 * The result of a function: SNOWMINT_OK, which is 0, or a code that says why it failed. Numbers and names
 * are the same in every language and never change. A newer library may return others.
 */
typedef uint32_t snowmint_status;";

/// Returns the statuses and the kinds of events, from their tables, and the limits.
fn tables() -> String {
    let mut text = String::from(
        "/** The numbers of snowmint_status. */\nenum {\n  /** Nothing failed. */\n  \
         SNOWMINT_OK = 0,\n",
    );
    for code in Code::ALL {
        let (name, number) = (code.name().to_uppercase(), code.number());
        writeln!(text, "  /** {} */\n  SNOWMINT_{name} = {number},", code.summary()).ok();
    }
    text.push_str(
        "};\n\n/**\n * The kind of an event. Numbers and names are the same in every language and \
         never change. A newer\n * library may have others.\n */\ntypedef uint32_t \
         snowmint_event_kind;\nenum {\n",
    );
    for kind in EventKind::ALL {
        let (name, number) = (kind.name().to_uppercase(), kind.number());
        writeln!(text, "  /** {} */\n  SNOWMINT_EVENT_{name} = {number},", kind.summary()).ok();
    }
    text.push_str("};\n");
    text + &limits(&[
        ("ABI_VERSION", abi_version(), "The binary interface of this header."),
        (
            "MAX_COUNT",
            format!("{MAX_COUNT}u"),
            "The largest number of IDs in one call of snowmint_source_next_ids.",
        ),
        (
            "MAX_NUMBER",
            format!("INT64_C({MAX_NUMBER})"),
            "The limit of a segment's numbers: each is below it.",
        ),
        ("MAX_STEP", format!("{MAX_STEP}u"), "The largest step, and the largest stride."),
        (
            "MAX_RESERVE_MS",
            format!("{MAX_RESERVE_MS}u"),
            "The longest reservation, in milliseconds.",
        ),
        ("MAX_TAG_LENGTH", format!("{MAX_TAG_LENGTH}u"), "The longest tag, in bytes."),
        ("TEXT_SIZE", "21u".to_owned(), "Room for an ID in any text form, with the zero."),
        ("PUBLIC_ID_SIZE", "61u".to_owned(), "Room for a public ID in any form, with the zero."),
        ("UUID_SIZE", "37u".to_owned(), "Room for a UUID as text, with the zero."),
        ("TIMESTAMP_SIZE", "32u".to_owned(), "Room for a time as text, with the zero."),
        ("FIELDS_SIZE", "256u".to_owned(), "Room for a layout's fields, with the zero."),
        (
            "UNSET",
            "(-1)".to_owned(),
            "The value of a number in an options struct that keeps its default.",
        ),
        (
            "NOW",
            "INT64_MIN".to_owned(),
            "The value of a time that stands for the present, where a function names it.",
        ),
    ])
}

/// Returns macros, each from its name, its value and its comment.
fn limits(limits: &[(&str, String, &str)]) -> String {
    let mut text = String::new();
    for (name, value, about) in limits {
        write!(text, "\n/** {about} */\n#define SNOWMINT_{name} {value}\n").ok();
    }
    text
}

/// Returns the number that the library's build script gives the binary interface.
fn abi_version() -> String {
    let script = include_str!("../../build.rs");
    let number =
        script.split_once("ABI_VERSION: u32 = ").and_then(|(_, rest)| rest.split_once(';'));
    number.map_or_else(|| "0".to_owned(), |(number, _)| format!("{number}u"))
}
