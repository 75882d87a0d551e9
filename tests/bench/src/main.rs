//! Measures snowmint beside floors and peers: ratios within interleaved rounds, their medians.

use std::process::ExitCode;

use snowmint_bench::measure::Effort;
use snowmint_bench::memory::Counting;
use snowmint_bench::report::{self, Line};
use snowmint_bench::{
    bulk, command, databases, memory, minting, peers, public_ids, segments, sustained, uuids,
};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const USAGE: &str = "\
usage: scripts/bench [--quick] [--json | --markdown] [--only NAME]...

  --quick      a few seconds, to see that everything runs; the figures mean little
  --json       one JSON object a line
  --markdown   a table for the README
  --only NAME  one group: memory, floors, engine, runtime, uuids, segments, bulk, decoding,
               texts, public_ids, sustained, command or databases";

type Group = (&'static str, fn(Effort) -> Vec<Line>);

const GROUPS: [Group; 13] = [
    // Before the others, whose keepers end a moment later than they.
    ("memory", |_| memory::memory()),
    ("floors", minting::floors),
    ("engine", minting::engine),
    ("runtime", minting::runtime),
    ("uuids", uuids::uuids),
    ("segments", segments::segments),
    ("bulk", bulk::bulk),
    ("decoding", bulk::decoding),
    ("texts", bulk::texts),
    ("public_ids", public_ids::public_ids),
    ("sustained", sustained::sustained),
    ("command", command::command),
    ("databases", databases::databases),
];

struct Options {
    effort: Effort,
    print: fn(&[Line]) -> String,
    groups: Vec<Group>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, name, length_ms] = &arguments[..]
        && flag == sustained::CHILD
    {
        sustained::run_child(name, length_ms);
        return ExitCode::SUCCESS;
    }
    let Some(options) = parse(&arguments) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    peers::idgenerator_init();
    let mut lines = Vec::new();
    for (name, measure) in &options.groups {
        eprintln!("measuring {name} …");
        lines.extend(measure(options.effort));
    }
    println!("{}", (options.print)(&lines).trim_end());
    let judged: Vec<bool> = lines.iter().filter_map(Line::is_met).collect();
    let met = judged.iter().filter(|&&met| met).count();
    eprintln!("{met} of {} targets met", judged.len());
    ExitCode::SUCCESS
}

fn parse(arguments: &[String]) -> Option<Options> {
    let mut options = Options { effort: Effort::FULL, print: report::plain, groups: Vec::new() };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--quick" => options.effort = Effort::QUICK,
            "--json" => options.print = report::json,
            "--markdown" => options.print = report::markdown,
            "--only" => {
                let name = rest.next()?;
                options.groups.push(*GROUPS.iter().find(|(group, _)| group == name)?);
            }
            _ => return None,
        }
    }
    if options.groups.is_empty() {
        options.groups = GROUPS.to_vec();
    }
    Some(options)
}
