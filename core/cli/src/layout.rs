//! `snowmint layout`: the layout of a key space.

use std::io::Write;
use std::path::Path;

use snowmint::change_state_layout;
use snowmint_server::decoding::NamedLayout;

use crate::args::{ChangeArgs, LayoutCommand};
use crate::exit::Done;
use crate::print::output;
use crate::segment::open_to_read;

/// Changes the layout of a key space.
pub(crate) fn run(command: &LayoutCommand) -> Done {
    match command {
        LayoutCommand::Change(args) => change(args),
    }
}

fn change(args: &ChangeArgs) -> Done {
    let layout = NamedLayout::parse(&args.layout, args.base.into())?.layout;
    let directory = Path::new(&args.store);
    if directory.is_dir() {
        change_state_layout(directory, &layout)?;
    } else {
        open_to_read(&args.store)?.change_layout(&layout)?;
    }
    let mut output = output();
    writeln!(output, "IDs are made of layout {layout} from now on")?;
    Ok(output.flush()?)
}
