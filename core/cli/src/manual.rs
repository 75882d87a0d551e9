//! `snowmint completions`, `man` and `licences`: shell completions, manual pages and licence texts.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use clap::CommandFactory;
use snowmint_server::files::unwritten;

use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::exit::Done;
use crate::print::output;

pub(crate) fn completions(args: &CompletionsArgs) -> Done {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "snowmint", &mut script);
    let mut output = output();
    output.write_all(&script)?;
    Ok(output.flush()?)
}

/// Prints the licences of everything compiled in.
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

/// Writes the manual pages.
pub(crate) fn pages(args: &ManArgs) -> Done {
    let mut command = Args::command().disable_help_subcommand(true);
    command.build();
    let written =
        fs::create_dir_all(&args.directory).and_then(|()| write(&command, &args.directory));
    Ok(written.map_err(|error| unwritten(args.directory.display(), error))?)
}

fn write(command: &clap::Command, directory: &Path) -> io::Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write(below, directory)?;
    }
    let page = clap_mangen::Man::new(command.clone());
    let mut written = Vec::new();
    page.render(&mut written)?;
    let written = with_sections(&String::from_utf8_lossy(&written));
    fs::write(directory.join(page.get_filename()), written)
}

/// Turns the text after the options into sections with their own titles and aligned lists.
/// Otherwise all of it is one paragraph under `EXTRA`.
fn with_sections(page: &str) -> String {
    let Some((before, extra)) = page.split_once(".SH EXTRA\n") else { return page.to_owned() };
    let (extra, after) = extra.find("\n.SH ").map_or((extra, ""), |end| extra.split_at(end + 1));
    let mut sections = before.to_owned();
    let (mut is_list, mut is_notes) = (false, false);
    let mut lines = extra.lines().peekable();
    while let Some(line) = lines.next() {
        let is_item = |line: &str| line.starts_with("  ");
        let title = line.strip_suffix(':').filter(|_| lines.peek().is_some_and(|it| is_item(it)));
        if is_list && !is_item(line) {
            sections += ".fi\n";
            is_list = false;
        }
        match title {
            Some(title) => {
                sections += &format!(".SH \"{}\"\n.nf\n", title.to_uppercase());
                (is_list, is_notes) = (true, false);
            }
            None => {
                if !is_list && !is_notes && !line.is_empty() {
                    sections += ".SH NOTES\n";
                    is_notes = true;
                }
                sections += line.strip_prefix("  ").filter(|_| is_list).unwrap_or(line);
                sections.push('\n');
            }
        }
    }
    sections + if is_list { ".fi\n" } else { "" } + after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_of_the_help_have_sections_of_their_own() {
        let page = ".SH OPTIONS\no\n.SH EXTRA\nSources:\n  a    1\n  b    2\n\nOne.\n\nTwo: 2.\n\n\
                    Examples:\n  x\n.SH VERSION\nv1\n";
        let expected = ".SH OPTIONS\no\n.SH \"SOURCES\"\n.nf\na    1\nb    2\n.fi\n\n.SH NOTES\n\
                        One.\n\nTwo: 2.\n\n.SH \"EXAMPLES\"\n.nf\nx\n.fi\n.SH VERSION\nv1\n";
        assert_eq!(with_sections(page), expected);
        let bare = ".SH OPTIONS\no\n.SH VERSION\nv1\n";
        assert_eq!(with_sections(bare), bare);
        assert_eq!(with_sections(".SH EXTRA\nOne.\n"), ".SH NOTES\nOne.\n");
    }
}
