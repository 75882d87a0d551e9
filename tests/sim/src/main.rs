//! Runs histories from the command line.

use std::collections::BTreeMap;
use std::ops::Range;
use std::process::ExitCode;

use snowmint_sim::{Figures, SCENARIOS, Scenario, run};

const USAGE: &str = "\
usage: snowmint-sim [--seeds A..B] [--scenario NAME|all] [--figures]
       snowmint-sim --replay SEED --scenario NAME

Runs the histories of the seeds A to B-1 (0..100) in each scenario, and prints a line of figures.
Exit code 1: a law is broken; the seed and what led to it are printed. --replay prints the whole
history of one seed. --figures adds a line for each scenario.";

/// The lines of a history that are shown before a broken law.
const CONTEXT_LINES: usize = 40;
/// The number of broken histories that are shown for each scenario.
const SHOWN_MAX: u64 = 3;

struct Request {
    seeds: Range<u64>,
    scenarios: Vec<&'static Scenario>,
    replay: Option<u64>,
    by_scenario: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match parse(&arguments) {
        Some(Request { replay: Some(seed), scenarios, .. }) => replay(&scenarios, seed),
        Some(request) => judge(&request),
        None => {
            eprintln!("{USAGE}\n\nscenarios:");
            SCENARIOS.iter().for_each(|scenario| eprintln!("  {}", scenario.name));
            ExitCode::from(2)
        }
    }
}

fn parse(arguments: &[String]) -> Option<Request> {
    let mut request = Request {
        seeds: 0..100,
        scenarios: SCENARIOS.iter().collect(),
        replay: None,
        by_scenario: false,
    };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seeds" => {
                let (from, to) = arguments.next()?.split_once("..")?;
                request.seeds = from.parse().ok()?..to.parse().ok()?;
            }
            "--scenario" => match arguments.next()?.as_str() {
                "all" => {}
                name => request.scenarios = vec![Scenario::named(name)?],
            },
            "--replay" => request.replay = Some(arguments.next()?.parse().ok()?),
            "--figures" => request.by_scenario = true,
            _ => return None,
        }
    }
    Some(request)
}

fn replay(scenarios: &[&'static Scenario], seed: u64) -> ExitCode {
    let mut is_broken = false;
    for scenario in scenarios {
        let history = run(scenario, seed, true);
        println!("seed {seed}, scenario {}, hash {:016x}", scenario.name, history.hash);
        history.lines.iter().for_each(|line| println!("{line}"));
        println!("{}", history.figures);
        is_broken |= history.figures.violations > 0;
    }
    ExitCode::from(u8::from(is_broken))
}

fn judge(request: &Request) -> ExitCode {
    let mut sum = Figures::default();
    let mut broken = BTreeMap::new();
    for scenario in &request.scenarios {
        let mut figures = Figures::default();
        for seed in request.seeds.clone() {
            let history = run(scenario, seed, false);
            figures.add(&history.figures);
            if history.figures.violations > 0 {
                let count: &mut u64 = broken.entry(scenario.name).or_default();
                *count += 1;
                if *count <= SHOWN_MAX {
                    show(scenario, seed);
                }
            }
        }
        if request.by_scenario {
            println!("{}: {figures}", scenario.name);
        }
        sum.add(&figures);
    }
    for (name, count) in &broken {
        println!(
            "{name}: {count} of {} histories break a law",
            request.seeds.end - request.seeds.start
        );
    }
    println!("seeds {}..{}, {sum}", request.seeds.start, request.seeds.end);
    ExitCode::from(u8::from(!broken.is_empty()))
}

/// Shows the end of a history up to the first broken law.
fn show(scenario: &'static Scenario, seed: u64) {
    let history = run(scenario, seed, true);
    let first = history.violations.first();
    let at = history.lines.iter().position(|line| Some(line) == first).unwrap_or_default();
    let begin = at.saturating_sub(CONTEXT_LINES);
    println!("seed {seed}, scenario {}: {:?}", scenario.name, first.map_or("", |line| line.trim()));
    history.lines.iter().take(at + 1).skip(begin).for_each(|line| println!("    {line}"));
    println!("    replay: snowmint-sim --scenario {} --replay {seed}", scenario.name);
}
