//! `snowmint completions`, `man` and `licences`: the command's own description, for shells and as manual
//! pages, and what is in it.

use std::fs;
use std::io::Write;

use clap::CommandFactory;
use snowmint::{Code, Error};

use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::exit::Done;
use crate::print::output;

/// Prints a shell's completions.
pub(crate) fn completions(args: &CompletionsArgs) -> Done {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "snowmint", &mut script);
    let mut output = output();
    output.write_all(&script)?;
    Ok(output.flush()?)
}

/// Prints whose work is compiled in, under which licences.
pub(crate) fn licences() -> Done {
    let mut output = output();
    for text in [
        include_str!("../LICENSE-MIT"),
        "\n",
        include_str!("../LICENSE-APACHE"),
        "\n",
        include_str!("../LICENSE-THIRD-PARTY"),
    ] {
        output.write_all(text.as_bytes())?;
    }
    Ok(output.flush()?)
}

/// Writes the pages.
pub(crate) fn pages(args: &ManArgs) -> Done {
    let written = fs::create_dir_all(&args.directory)
        .and_then(|()| clap_mangen::generate_to(Args::command(), &args.directory));
    written.map_err(|error| {
        let message = format!("{} cannot be written: {error}", args.directory.display());
        Error::new(Code::InvalidParameter, message).into()
    })
}
