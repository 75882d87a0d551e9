//! The options that give a layout of fields its epoch and tick.

use clap::Args as ClapArgs;
use snowmint_server::decoding::TimeBase;

#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct TimeBaseArgs {
    /// Epoch of a layout given by its fields, Unix milliseconds [default: 0]
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    epoch_ms: Option<i64>,
    /// Tick of a layout given by its fields, in milliseconds [default: 1]
    #[arg(long, value_name = "MS")]
    tick_ms: Option<u32>,
}

impl From<TimeBaseArgs> for TimeBase {
    fn from(args: TimeBaseArgs) -> TimeBase {
        TimeBase { epoch_ms: args.epoch_ms, tick_ms: args.tick_ms }
    }
}
