//! Writes the test vectors into `tests/vectors`; `--check` only says which are stale.

use std::process::ExitCode;
use std::{env, fs, io};

use snowmint_conformance::{directory, documents, frozen_codes_kept, frozen_events_kept};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let only_check = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--check"] => true,
        _ => {
            eprintln!("usage: vectors [--check]");
            return ExitCode::from(2);
        }
    };
    match run(only_check) {
        Ok(stale) if only_check && stale > 0 => {
            eprintln!("{stale} stale: run `cargo run -p snowmint-conformance --bin vectors`");
            ExitCode::FAILURE
        }
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes or compares every document, and says how many differed.
fn run(only_check: bool) -> io::Result<usize> {
    let mut stale = 0;
    for (name, content) in documents() {
        let path = directory().join(name);
        let committed = fs::read_to_string(&path).ok();
        if committed.as_deref() == Some(content.as_str()) {
            continue;
        }
        stale += 1;
        if only_check {
            println!("{name}: stale");
            continue;
        }
        match (name, &committed) {
            ("errors.json", Some(committed)) => frozen_codes_kept(committed),
            ("events.json", Some(committed)) => frozen_events_kept(committed),
            _ => Ok(()),
        }
        .map_err(io::Error::other)?;
        fs::write(&path, content)?;
        println!("{name}: written");
    }
    if stale == 0 {
        println!("all vectors are up to date");
    }
    Ok(stale)
}
