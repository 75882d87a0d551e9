//! Writes `packages/c/include/snowmint.h` from the crate `snowmint-c` and the engine's tables.
//! `--check` only compares, and exits with 1 if the file is stale.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use cbindgen::{Config, DocumentationStyle, EnumConfig, Language, RenameRule, Style};
use snowmint::engine::{Code, MAX_DISTANCE, MAX_NUMBER, MAX_STEP};
use snowmint::{EventKind, MAX_COUNT, MAX_SLAB_MS, MAX_TAG_LENGTH};

const INTRODUCTION: &str = include_str!("introduction.h");
const INITIALISERS: &str = include_str!("initialisers.h");

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let binding = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let file = binding.join("../../packages/c/include/snowmint.h");
    let header = header(&binding)?;
    match std::env::args().nth(1).as_deref() {
        None => fs::write(&file, header)?,
        Some("--check") if fs::read_to_string(&file)? == header => {}
        Some("--check") => {
            eprintln!("error: {} is stale: scripts/package-c writes it", file.display());
            return Ok(ExitCode::FAILURE);
        }
        Some(other) => return Err(format!("{other}: the only option is --check").into()),
    }
    Ok(ExitCode::SUCCESS)
}

fn header(binding: &Path) -> Result<String, Box<dyn Error>> {
    let config = Config {
        language: Language::C,
        header: Some(INTRODUCTION.trim_end().to_owned()),
        trailer: Some(INITIALISERS.trim_end().to_owned()),
        include_guard: Some("SNOWMINT_H".to_owned()),
        sys_includes: ["stdbool.h", "stddef.h", "stdint.h"].map(str::to_owned).to_vec(),
        no_includes: true,
        after_includes: Some(tables()),
        cpp_compat: true,
        style: Style::Both,
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
            // Kinds of fields that are numbers, since C may put any number there.
            include: ["snowmint_when_behind", "snowmint_when_full", "snowmint_start_kind"]
                .map(str::to_owned)
                .to_vec(),
            ..cbindgen::ExportConfig::default()
        },
        ..Config::default()
    };
    let bindings = cbindgen::Builder::new().with_config(config).with_crate(binding).generate()?;
    let mut written = Vec::new();
    bindings.write(&mut written);
    Ok(String::from_utf8(written)?)
}

/// The statuses and the kinds of events, from their tables, and the limits.
fn tables() -> String {
    let mut text = String::from(
        "\n/**\n * What a function returns: SNOWMINT_OK, or why it failed. Numbers and names are the \
         same in every\n * language and never change; a newer library may return others.\n */\n\
         typedef uint32_t snowmint_status;\nenum {\n  /** Nothing failed. */\n  SNOWMINT_OK = 0,\n",
    );
    for code in Code::ALL {
        let (name, number) = (code.name().to_uppercase(), code.number());
        writeln!(text, "  /** {} */\n  SNOWMINT_{name} = {number},", code.summary()).ok();
    }
    text.push_str(
        "};\n\n/**\n * What an event is of. Numbers and names are the same in every language and \
         never change; a newer\n * library may have others.\n */\ntypedef uint32_t \
         snowmint_event_kind;\nenum {\n",
    );
    for kind in EventKind::ALL {
        let (name, number) = (kind.name().to_uppercase(), kind.number());
        writeln!(text, "  /** {} */\n  SNOWMINT_EVENT_{name} = {number},", kind.summary()).ok();
    }
    text.push_str("};\n");
    let limits: &[(&str, String, &str)] = &[
        ("ABI_VERSION", abi_version(), "The binary interface of this header."),
        ("MAX_COUNT", format!("{MAX_COUNT}u"), "The most IDs of one call of snowmint_next_ids."),
        ("MAX_NUMBER", format!("INT64_C({MAX_NUMBER})"), "The largest number of a segment."),
        ("MAX_STEP", format!("{MAX_STEP}u"), "The largest step, and the largest stride."),
        ("MAX_DISTANCE", format!("{MAX_DISTANCE}u"), "The most ranges kept behind the current."),
        ("MAX_SLAB_MS", format!("{MAX_SLAB_MS}u"), "The longest slab, milliseconds."),
        ("MAX_TAG_LENGTH", format!("{MAX_TAG_LENGTH}u"), "The longest tag, in bytes."),
        ("TEXT_SIZE", "21u".to_owned(), "Room for an ID in any text form, with the zero."),
        ("PUBLIC_ID_SIZE", "61u".to_owned(), "Room for a public ID in any form, with the zero."),
        ("UUID_SIZE", "37u".to_owned(), "Room for a UUID as text, with the zero."),
        ("TIMESTAMP_SIZE", "32u".to_owned(), "Room for a time as text, with the zero."),
        ("FIELDS_SIZE", "256u".to_owned(), "Room for a layout's fields, with the zero."),
        ("UNSET", "(-1)".to_owned(), "A number in an options struct that is left at its default."),
        ("NOW", "INT64_MIN".to_owned(), "A time that stands for the present."),
    ];
    for (name, value, about) in limits {
        write!(text, "\n/** {about} */\n#define SNOWMINT_{name} {value}\n").ok();
    }
    text
}

/// The number that the library's build script gives it.
fn abi_version() -> String {
    let script = include_str!("../../build.rs");
    let number =
        script.split_once("ABI_VERSION: u32 = ").and_then(|(_, rest)| rest.split_once(';'));
    number.map_or_else(|| "0".to_owned(), |(number, _)| format!("{number}u"))
}
