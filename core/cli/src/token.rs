//! `snowmint token`: the tokens of `snowmint serve`.

use std::collections::BTreeSet;
use std::env;
use std::fs::DirBuilder;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::json;
use snowmint::{Code, Result};
use snowmint_server::tokens::{self, Digest, Entry};

use crate::args::token::{
    TokenCommand, TokenCreateArgs, TokenFileArgs, TokenListArgs, TokenRevokeArgs,
};
use crate::errors;
use crate::exit::{Done, Failure};
use crate::print::{Table, cell, eprintln, grouped, json_line, output};

/// The variable that `snowmint serve` uses too.
const FILE_VARIABLE: &str = "SNOWMINT_SERVE_TOKENS_FILE";

/// Creates, lists or revokes tokens.
pub(crate) fn run(command: &TokenCommand) -> Done {
    let (done, hint) = match command {
        TokenCommand::Create(args) => {
            (create(args), "`snowmint token create --help` says what a token has")
        }
        TokenCommand::List(args) => {
            (list(args), "name the file with --file, or in SNOWMINT_SERVE_TOKENS_FILE")
        }
        TokenCommand::Revoke(args) => {
            (revoke(args), "`snowmint token list` lists the tokens of a file")
        }
    };
    done.map_err(|failure| match failure {
        // These codes have better hints for a file that could not be written.
        Failure::Refused(error)
            if !matches!(error.code(), Code::StoreFull | Code::StoreReadOnly) =>
        {
            Failure::Hinted(error, hint)
        }
        other => other,
    })
}

/// Returns the file that the command line or the environment names.
fn named(args: &TokenFileArgs) -> Option<PathBuf> {
    let named = args.file.clone().or_else(|| env::var_os(FILE_VARIABLE).map(PathBuf::from));
    named.filter(|path| !path.as_os_str().is_empty())
}

/// Returns the file to use. For the default file, creates its directory.
fn path(args: &TokenFileArgs) -> Result<PathBuf> {
    if let Some(path) = named(args) {
        return Ok(path);
    }
    let directory = snowmint::state_directory()?;
    make(&directory).map_err(|error| errors::state_directory_not_made(&directory, error))?;
    Ok(directory.join("tokens.toml"))
}

/// Creates a directory for its user alone, unless it exists.
fn make(directory: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(directory)
}

fn create(args: &TokenCreateArgs) -> Done {
    let token = if args.text_from_stdin { given()? } else { tokens::random()? };
    let digest = Digest::new(token.as_bytes());
    let digest = digest.ok_or_else(|| errors::token_missing(tokens::MAX_BYTES))?;
    let entry = Entry {
        name: args.name.clone(),
        sha256: digest,
        sources: args.sources.iter().cloned().collect(),
        max_count: args.max_count,
        rate: args.rate,
        burst: args.burst,
        leases: args.leases,
        reads: args.reads,
        public_ids: args.public_ids.iter().cloned().collect(),
    };
    entry.check()?;
    let path = path(&args.file)?;
    tokens::add(&path, &entry)?;
    if named(&args.file).is_none() {
        let path = path.display();
        eprintln!("snowmint: it is in {path}, which `snowmint serve --tokens-file {path}` goes by");
    }
    warn(&entry);
    if args.text_from_stdin {
        return Ok(());
    }
    let mut output = output();
    writeln!(output, "{token}")?;
    Ok(output.flush()?)
}

/// Warns if the token permits less than was probably meant.
fn warn(entry: &Entry) {
    if entry.sources.is_empty() && !entry.leases && entry.public_ids.is_empty() {
        let what = if entry.reads { "sees none" } else { "may do nothing" };
        eprintln!(
            "snowmint: {} {what}, as it has no source: --sources names those whose IDs it may ask \
             for",
            entry.name
        );
    }
    let burst = entry.burst.or(entry.rate);
    if let (Some(burst), Some(most)) = (burst, entry.max_count)
        && burst < most
    {
        eprintln!(
            "snowmint: {} may ask for {burst} IDs at once, and not for {most}: no request gets \
             more than --burst, which is a second's unless set",
            entry.name
        );
    }
}

/// Reads a token from standard input, without its line end.
fn given() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let most = tokens::MAX_BYTES as u64 + 2;
    io::stdin().take(most).read_to_end(&mut bytes).map_err(Failure::Input)?;
    let text = String::from_utf8(bytes).map_err(|_| errors::token_not_utf8())?;
    let text = text.trim_end_matches(['\r', '\n']);
    if text.contains(char::is_control) || text.trim() != text {
        return Err(errors::token_not_alone().into());
    }
    Ok(text.to_owned())
}

fn list(args: &TokenListArgs) -> Done {
    let entries = tokens::read(&path(&args.file)?)?;
    let mut output = output();
    if args.json {
        for entry in &entries {
            writeln!(output, "{}", json_line(&object(entry)))?;
        }
    } else {
        table(&entries).write(&mut output)?;
    }
    Ok(output.flush()?)
}

fn table(entries: &[Entry]) -> Table {
    let titles =
        ["NAME", ">MAX COUNT", ">RATE", ">BURST", "LEASES", "READS", "PUBLIC IDS", "SOURCES"];
    let mut table = Table::new(&titles);
    let number = |number: Option<u32>| cell(number.map_or("-".to_owned(), |it| grouped(it.into())));
    let may = |may: bool| cell(if may { "yes" } else { "no" });
    let names = |names: &BTreeSet<String>| {
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        cell(if names.is_empty() { "-".to_owned() } else { names.join(",") })
    };
    for entry in entries {
        table.row(vec![
            cell(&entry.name),
            number(entry.max_count),
            number(entry.rate),
            number(entry.burst.or(entry.rate)),
            may(entry.leases),
            may(entry.reads),
            names(&entry.public_ids),
            names(&entry.sources),
        ]);
    }
    table
}

fn object(entry: &Entry) -> serde_json::Value {
    json!({
        "name": entry.name,
        "sources": entry.sources,
        "max_count": entry.max_count,
        "rate": entry.rate,
        "burst": entry.burst.or(entry.rate),
        "leases": entry.leases,
        "reads": entry.reads,
        "public_ids": entry.public_ids,
    })
}

fn revoke(args: &TokenRevokeArgs) -> Done {
    Ok(tokens::remove(&path(&args.file)?, &args.name)?)
}
