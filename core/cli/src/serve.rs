//! `snowmint serve`: runs the ID service, or prints its settings.

use std::io::Write;

use crate::args::ServeArgs;
use crate::exit::Done;
use crate::print::output;

/// Serves until a signal says stop.
pub(crate) fn run(args: &ServeArgs) -> Done {
    let origin = args.origin();
    if args.print_config {
        let mut output = output();
        output.write_all(origin.print()?.as_bytes())?;
        return Ok(output.flush()?);
    }
    Ok(snowmint_server::serve(origin)?)
}
