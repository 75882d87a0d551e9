//! `snowmint doctor`: checks a store or this machine.

use std::io::{self, Write};

use anstyle::Style;
use serde_json::{Value, json};
use snowmint::doctor::{Finding, Verdict, examine, examine_host};

use crate::args::DoctorArgs;
use crate::exit::{Done, Failure};
use crate::print::{ERROR, FAINT, HINT, Output, PLAIN, STRONG, WARN, json_line, output};
use crate::segment::url;

/// The exit status of a store that refuses.
const REFUSED: u8 = 4;

pub(crate) fn run(args: &DoctorArgs) -> Done {
    let findings = match &args.store {
        Some(store) => examine(&url(store)?)?,
        None => examine_host(),
    };
    let mut output = output();
    for finding in &findings {
        if args.json {
            writeln!(output, "{}", json_line(&object(finding)))?;
        } else {
            write(&mut output, finding)?;
        }
    }
    if !args.json {
        writeln!(output, "{STRONG}{}{STRONG:#}", summary(&findings))?;
    }
    output.flush()?;
    match findings.iter().any(|it| it.verdict == Verdict::Refused) {
        true => Err(Failure::Reported(REFUSED)),
        false => Ok(()),
    }
}

/// Writes a finding. The library has escaped text from others.
fn write(output: &mut Output, finding: &Finding) -> io::Result<()> {
    let Finding { subject, verdict, found, .. } = finding;
    let (style, name) = (style(*verdict), verdict.name());
    write!(output, "{style}{name:7}{style:#}  {subject:15}  {found}")?;
    if let Some(code) = finding.code {
        write!(output, " [{code}]")?;
    }
    writeln!(output)?;
    if let Some(cure) = &finding.cure {
        writeln!(output, "{:7}  {HINT}{:15}{HINT:#}  {cure}", "", "cure")?;
    }
    Ok(())
}

fn style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Refused => ERROR,
        Verdict::Weaker => WARN,
        Verdict::Unseen => FAINT,
        _ => PLAIN,
    }
}

fn summary(findings: &[Finding]) -> String {
    let of = |verdict| findings.iter().filter(|it| it.verdict == verdict).count();
    let [ok, weaker] = [Verdict::Ok, Verdict::Weaker].map(of);
    let [refused, unseen] = [Verdict::Refused, Verdict::Unseen].map(of);
    format!("{ok} ok, {weaker} with a weaker promise, {refused} refused, {unseen} not seen")
}

fn object(finding: &Finding) -> Value {
    let mut object = json!({
        "subject": finding.subject,
        "verdict": finding.verdict.name(),
        "code": finding.code.map(snowmint::Code::name),
        "found": finding.found,
        "cure": finding.cure,
    });
    if let Some(fields) = object.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    object
}
