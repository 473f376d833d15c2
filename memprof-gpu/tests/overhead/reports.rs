//! A report's text, Markdown, JSON, findings and drawing.

use crate::clock::{Clock, numbers, plan};
use expect_test::{Expect, expect, expect_file};
use memprof_gpu::overhead::{
    Bench, Comparison, Environment, Outcome, Phase, PlotError, Recorder, Report, Row, Split,
};
use memprof_profile::Device;
use std::convert::Infallible;

/// Times on the host and on the device, with a jitter of so many nanoseconds.
struct Times {
    raw: (u64, u64),
    wrapped: (u64, u64),
    jitter: u64,
}

impl Times {
    fn compared(&self, device: Device) -> Comparison {
        let host = Clock::default();
        let on_device = (device != Device::Cpu).then(Clock::default);
        let mut bench = Bench::with_timers(host.clone(), on_device.clone(), plan(42));
        let random = std::cell::RefCell::new(numbers(17, self.jitter.max(1)));
        let call = |(on_host, there): (u64, u64)| {
            host.advance(on_host + random.borrow_mut()());
            if let Some(on_device) = &on_device {
                on_device.advance(there);
            }
            Ok::<(), Infallible>(())
        };
        bench.compare(|| call(self.raw), || call(self.wrapped)).unwrap()
    }
}

fn split() -> Split {
    let clock = Clock::default();
    let mut bench = Bench::with_timers(clock.clone(), None::<Clock>, plan(6));
    bench
        .split(|recorder| {
            for (phase, time) in
                [(Phase::Check, 128), (Phase::Construction, 72), (Phase::Dispatch, 300)]
            {
                recorder.enter(phase);
                clock.advance(time);
            }
            recorder.leave();
            Ok::<(), Infallible>(())
        })
        .unwrap()
}

/// On the host, additions with a fixed cost, products with a cost per element, sums without any; on a
/// device, additions whose cost only the host has; and what is missing.
fn report() -> Report {
    let mut environment = Environment::of_this_build();
    environment.system = Some("linux x86_64".into());
    environment.build = Some("release".into());
    environment.gpu = Some("NVIDIA Sample".into());
    environment.driver = Some("580.1".into());
    environment.crates = vec![("cudarc".into(), "0.19.10".into())];
    environment.memory = vec!["event tracking off".into(), "release threshold 2 GiB".into()];
    let mut report = Report::new(environment);
    for elements in [1024_u64, 16_384, 262_144, 4_194_304] {
        let work = elements / 4;
        let add = Times { raw: (100 + work, 0), wrapped: (310 + work, 0), jitter: 4 };
        let row = Row::measured("add", "f32", Device::Cpu, elements, add.compared(Device::Cpu));
        report.push(row.with_split(split()));
        let mul = Times { raw: (100 + work, 0), wrapped: (100 + 2 * work, 0), jitter: 4 };
        report.push(Row::measured("mul", "f32", Device::Cpu, elements, mul.compared(Device::Cpu)));
        let sum = Times { raw: (100 + work, 0), wrapped: (100 + work, 0), jitter: 9 };
        report.push(Row::measured("sum", "bf16", Device::Cpu, elements, sum.compared(Device::Cpu)));
        let gpu = Device::Cuda(0);
        let on_gpu = Times { raw: (4000, 2000 + work), wrapped: (4210, 2000 + work), jitter: 4 };
        report.push(Row::measured("add", "f32", gpu, elements, on_gpu.compared(gpu)));
    }
    report.push(Row::skipped("matmul", Device::Cuda(0), "cuBLAS was not found"));
    report
}

fn is(expected: &Expect, found: &str) {
    expected.assert_eq(found);
}

#[test]
fn the_text_is_aligned_and_says_all() {
    expect_file!["golden/report.txt"].assert_eq(&report().to_string());
}

#[test]
fn the_markdown_has_the_same_tables() {
    expect_file!["golden/report.md"].assert_eq(&report().to_markdown());
}

#[test]
fn the_drawing_has_a_panel_for_each_operation_and_both_themes() {
    let svg = report().to_svg().unwrap();
    expect_file!["golden/report.svg"].assert_eq(&svg);
    for text in [">\nadd<", ">\nmul<", ">\nsum<", ">\ncpu<", ">\ncuda:0<", ">\nf32<", ">\nbf16<"] {
        let closed = text.replace('<', "\n<");
        assert!(svg.contains(text) || svg.contains(&closed), "{text:?} in {svg}");
    }
    assert!(svg.contains("prefers-color-scheme:dark"));
}

#[test]
fn json_is_read_back_as_it_was() {
    let report = report();
    let json = report.to_json();
    // The last bit of a number may be another.
    let read = Report::from_json(&json).unwrap();
    assert_eq!(read.to_string(), report.to_string());
    assert_eq!((read.rows.len(), read.environment), (report.rows.len(), report.environment));
    assert!(json.contains(r#""device": "cuda:0""#), "{json}");
}

#[test]
fn json_of_another_layout_or_device_is_an_error_that_says_so() {
    let json = Report::new(Environment::default()).to_json();
    let newer = Report::from_json(&json.replace("\"format\": 1", "\"format\": 7")).unwrap_err();
    is(
        &expect!["format 7 is not known: expected 1, written by another version of memprof"],
        &newer.to_string(),
    );
    let json = report().to_json().replace("\"cpu\"", "\"gpu\"");
    let device = Report::from_json(&json).unwrap_err().to_string();
    assert!(
        device.starts_with(r#""gpu" is no device: expected `cpu`, `cuda:0` or `metal:0`"#),
        "{device}"
    );
    assert!(Report::from_json("[]").is_err());
}

#[test]
fn what_nobody_said_is_unknown() {
    let empty = Report::new(Environment::default());
    is(
        &expect![[r"
            system  unknown
            build   unknown
            rustc   unknown
            GPU     unknown
            driver  unknown
            CUDA    unknown
            crates  unknown
            memory  unknown

            findings
              nothing was measured
        "]],
        &empty.to_string(),
    );
    assert!(matches!(empty.to_svg(), Err(PlotError::Nothing)));
}

#[test]
fn a_skipped_row_has_its_reason_in_each_form() {
    let mut report = Report::new(Environment::default());
    report.push(Row::skipped("all", Device::Cuda(1), "no CUDA driver was found"));
    for form in [report.to_string(), report.to_markdown(), report.to_json()] {
        assert!(form.contains("no CUDA driver was found") && form.contains("cuda:1"), "{form}");
    }
    assert!(matches!(report.to_svg(), Err(PlotError::Nothing)));
    let Outcome::Skipped { device, .. } = report.rows[0].outcome else { panic!("it was skipped") };
    assert_eq!(device, Device::Cuda(1));
}

#[test]
fn names_that_would_be_markup_are_text_in_each_form() {
    let mut report = Report::new(Environment::default());
    let times = Times { raw: (100, 0), wrapped: (300, 0), jitter: 1 };
    let name = "a|b <&> \u{1b}[31m\nnext";
    // No elements at all are a size, too.
    report.push(Row::measured(name, "f32", Device::Cpu, 0, times.compared(Device::Cpu)));
    let text = report.to_string();
    assert!(!text.contains('\u{1b}') && !text.contains("\nnext"), "{text}");
    let markdown = report.to_markdown();
    assert!(markdown.contains("a\\|b \\<\\&>") && !markdown.contains("\nnext"), "{markdown}");
    let svg = report.to_svg().unwrap();
    assert!(svg.contains("a|b &lt;&amp;&gt;") && !svg.contains('\u{1b}'), "{svg}");
    assert_eq!(Report::from_json(&report.to_json()).unwrap().rows[0].operation, name);
}

#[test]
fn figures_that_can_not_be_told_are_called_unknown() {
    let mut report = Report::new(Environment::default());
    let clock = Clock::default();
    let mut bench = Bench::with_timers(clock, None::<Clock>, plan(6));
    let nothing = || Ok::<(), Infallible>(());
    let comparison = bench.compare(nothing, nothing).unwrap();
    report.push(Row::measured("nothing", "f32", Device::Cpu, 1, comparison));
    let text = report.to_string();
    let line = text.lines().find(|line| line.contains(" nothing ")).unwrap();
    is(
        &expect![
            "  cpu     nothing    f32           1  host  0 ns     0 ns   0 ns  unknown  unknown  unknown: too short"
        ],
        line,
    );
    assert!(matches!(report.to_svg(), Err(PlotError::Nothing)));
}

#[test]
fn findings_say_when_a_line_fits_poorly_and_what_one_size_tells() {
    let mut report = Report::new(Environment::default());
    for elements in [100_u64, 10_000, 1_000_000, 100_000_000] {
        let times = Times { raw: (1000, 0), wrapped: (1000 + elements.isqrt(), 0), jitter: 2 };
        let comparison = times.compared(Device::Cpu);
        report.push(Row::measured("root", "f32", Device::Cpu, elements, comparison));
    }
    let once = Times { raw: (1000, 0), wrapped: (1500, 0), jitter: 2 }.compared(Device::Cpu);
    report.push(Row::measured("once", "f32", Device::Cpu, 7, once));
    is(
        &expect![[r"
            host time, 5 measurements: 5 are slower through the wrapper
            host time, the worst: cpu, root f32 of 100 000 000 elements at 11.0 times the raw operation
            cpu, root f32, host time: no line fits the sizes; +10.0 ns a call, slower at 100 elements; +100 ns a call, slower at 10 000 elements; +1.00 µs a call, slower at 1 000 000 elements; +10.0 µs a call, slower at 100 000 000 elements
            cpu, once f32, host time: +500 ns a call, slower at 7 elements"]],
        &report.findings().join("\n"),
    );
}

#[test]
fn a_repeat_that_differs_is_marked_in_the_table() {
    let clock = Clock::default();
    let calls = std::cell::Cell::new(0_u64);
    let call = |nanoseconds: u64| {
        calls.set(calls.get() + 1);
        // Two calls to warm up; then 4 times 7 are a repeat.
        clock.advance(if calls.get() > 2 + 28 { nanoseconds * 3 / 2 } else { nanoseconds });
        Ok::<(), Infallible>(())
    };
    let mut bench = Bench::with_timers(clock.clone(), None::<Clock>, plan(21));
    let comparison = bench.compare(|| call(100), || call(200)).unwrap();
    let mut report = Report::new(Environment::default());
    report.push(Row::measured("add", "f32", Device::Cpu, 1, comparison));
    let text = report.to_string();
    assert!(text.contains("slower, unstable: repeats differ by 50 %"), "{text}");
    assert!(text.contains("1 are slower through the wrapper, 1 are unstable"), "{text}");
}
