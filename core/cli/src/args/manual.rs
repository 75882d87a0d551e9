//! `snowmint completions` and `snowmint man`: what can be asked of them.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap_complete::Shell;

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  mkdir -p ~/.local/share/bash-completion/completions ~/.zfunc ~/.config/fish/completions
  snowmint completions bash > ~/.local/share/bash-completion/completions/snowmint
  snowmint completions zsh > ~/.zfunc/_snowmint
  snowmint completions fish > ~/.config/fish/completions/snowmint.fish";

/// Print what a shell completes this command by.
#[derive(Debug, ClapArgs)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// Which shell's
    pub(crate) shell: Shell,
}

const MAN_EXAMPLES: &str = "\
Examples:
  snowmint man ~/.local/share/man/man1
  snowmint man . && man ./snowmint-id.1";

/// Write a manual page of each command.
#[derive(Debug, ClapArgs)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct ManArgs {
    /// Where to: a directory, which is made if it is not there
    pub(crate) directory: PathBuf,
}
