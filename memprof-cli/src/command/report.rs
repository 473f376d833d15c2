//! `memprof report`: the roles of the bytes, shared allocations, and advice.

use crate::arguments::ReportArguments;
use crate::failure::Failure;
use crate::paint::Paint;
use crate::statistics::StatisticsJson;
use crate::{input, json, output, terminal};
use memprof_gpu::GpuRule;
use memprof_profile::Profile;
use memprof_profile::report::{Advisor, Recommendation, Report};
use memprof_profile::tree::Origin;
use serde::Serialize;

/// The JSON output; `docs/format.md` describes its keys. Figures that the origin does not have are
/// `null`.
#[derive(Serialize)]
struct ReportJson<'p> {
    format: &'static str,
    version: u32,
    root: &'p str,
    origin: &'static str,
    total_bytes: u64,
    shallow_bytes: Option<u64>,
    exact: Option<bool>,
    lower_bound: Option<bool>,
    statistics: Option<StatisticsJson>,
    components: Vec<ComponentJson<'p>>,
    advice: Vec<AdviceJson<'p>>,
}

#[derive(Serialize)]
struct ComponentJson<'p> {
    name: &'p str,
    total_bytes: u64,
    statistics: Option<StatisticsJson>,
}

#[derive(Serialize)]
struct AdviceJson<'p> {
    rule: &'p str,
    severity: &'static str,
    path: Option<&'p str>,
    evidence: &'p str,
    what_to_do: Option<&'p str>,
    saves: Option<u64>,
    saves_at_most: bool,
}

pub(crate) fn run(arguments: &ReportArguments) -> Result<(), Failure> {
    let profile = input::profile(&arguments.file.source, arguments.root.name())?;
    let printing = &arguments.printing;
    let width = arguments.width.unwrap_or_else(terminal::width);
    let advisor = Advisor::new().rule(GpuRule);
    let mut report = profile.report_by(&advisor).units(printing.units.into()).width(width);
    if arguments.detailed {
        report = report.detailed();
    }
    let text = if printing.json {
        json::text(&document(&profile, &report))
    } else if arguments.markdown {
        Ok(report.to_markdown().trim_end().into())
    } else {
        Ok(Paint::new(printing.color).text(&report.styled()))
    };
    Ok(output::print(|out| Ok(writeln!(out, "{}", text?)?))?)
}

fn document<'p>(profile: &'p Profile, report: &'p Report<'_>) -> ReportJson<'p> {
    let from_values = profile.origin() == Origin::Values;
    let components = report.components().map(|(name, statistics)| ComponentJson {
        name,
        total_bytes: statistics.total(),
        statistics: from_values.then(|| statistics.into()),
    });
    ReportJson {
        format: "memprof report",
        version: 1,
        root: profile.root().name(),
        origin: profile.origin().as_str(),
        total_bytes: profile.total_bytes(),
        shallow_bytes: profile.shallow_bytes(),
        exact: from_values.then(|| profile.is_exact()),
        lower_bound: from_values.then(|| profile.is_lower_bound()),
        statistics: from_values.then(|| report.statistics().into()),
        components: components.collect(),
        advice: report.recommendations().iter().map(AdviceJson::of).collect(),
    }
}

impl<'p> AdviceJson<'p> {
    fn of(recommendation: &'p Recommendation) -> Self {
        Self {
            rule: recommendation.rule(),
            severity: recommendation.severity().as_str(),
            path: recommendation.path(),
            evidence: recommendation.evidence(),
            what_to_do: recommendation.action(),
            saves: recommendation.savings(),
            saves_at_most: recommendation.is_upper_bound(),
        }
    }
}
