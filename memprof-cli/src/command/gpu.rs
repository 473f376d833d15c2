//! `memprof gpu`: the memory of GPUs, printed once or repeatedly. Each device has a line, with its
//! memory and processes below it.

use crate::arguments::PrintingArguments;
use crate::failure::Failure;
use crate::terminal::{Layout, brief, escaped};
use crate::{output, terminal};
use clap::Args;
use memprof_gpu::{
    DeviceIdentity, DeviceReading, DeviceSampler, DeviceStatistics, Environment, GpuSourceBuilder,
    MemorySource, NvmlSampler, SamplerError, Wanted, driver_pid,
};
use memprof_profile::text::{Percent, Table};
use memprof_profile::views::Units;
use serde::Serialize;
use std::fmt::Write;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  memprof gpu --every 1s
  memprof gpu --every 100ms --json";

/// Print the memory of GPUs by process
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct GpuArguments {
    /// Path of the driver's management library (`libnvidia-ml.so.1`), if the system cannot find it
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
    /// Print again after each interval, such as `1s`, until stopped
    #[arg(long, value_name = "TIME", value_parser = interval)]
    every: Option<Duration>,
    #[command(flatten)]
    printing: PrintingArguments,
}

/// Parses the time between two readings. Frequent readings slow the driver.
fn interval(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(interval) if interval >= GpuSourceBuilder::MIN_INTERVAL => Ok(interval),
        Ok(_) => {
            let least = humantime::format_duration(GpuSourceBuilder::MIN_INTERVAL);
            Err(format!("expected at least {least}"))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// The escape codes that move the cursor to the upper left corner and clear the screen.
const CLEAR_SCREEN: &str = "\u{1b}[H\u{1b}[2J";

/// With `--every`, repeats until the user stops the command.
pub(crate) fn run(arguments: &GpuArguments) -> Result<(), Failure> {
    let mut sampler = match &arguments.library {
        Some(path) => NvmlSampler::open_at(path),
        None => NvmlSampler::open(),
    }?;
    let Some(every) = arguments.every else { return print(&mut sampler, arguments) };
    let is_repainted = std::io::stdout().is_terminal() && !arguments.printing.json;
    loop {
        if is_repainted {
            output::print(|out| Ok(write!(out, "{CLEAR_SCREEN}")?))?;
        }
        print(&mut sampler, arguments)?;
        thread::sleep(every);
    }
}

#[derive(Serialize)]
struct GpuJson<'r> {
    environment: Environment,
    devices: &'r [DeviceIdentity],
    readings: &'r [DeviceReading],
}

fn print(sampler: &mut dyn DeviceSampler, arguments: &GpuArguments) -> Result<(), Failure> {
    let devices = 0..sampler.devices().len();
    let readings: Result<Vec<_>, SamplerError> =
        devices.map(|device| sampler.sample(device, Wanted::ALL)).collect();
    let readings = readings?;
    let text = if arguments.printing.json {
        let (environment, devices) = (sampler.environment(), sampler.devices());
        let json = GpuJson { environment, devices, readings: &readings };
        // A single reading is indented for people; repeated readings are lines for programs.
        let layout = if arguments.every.is_some() { Layout::Line } else { Layout::Lines };
        terminal::document("memprof gpu", layout, &json)?
    } else {
        text(sampler, &readings, arguments.printing.units.into())
    };
    output::print_text(&text)
}

fn text(sampler: &dyn DeviceSampler, readings: &[DeviceReading], units: Units) -> String {
    let mut text = String::new();
    let environment = sampler.environment();
    let versions = [("driver", environment.driver), ("CUDA", environment.cuda)];
    let versions: Vec<String> = versions
        .iter()
        .filter_map(|(name, version)| Some(format!("{name} {}", escaped(version.as_deref()?))))
        .collect();
    if readings.is_empty() {
        text.push_str("no devices found\n");
    }
    for (identity, reading) in sampler.devices().iter().zip(readings) {
        device(&mut text, identity, reading, units);
    }
    text.push_str(&versions.join(" · "));
    text.trim_end().to_owned()
}

fn device(text: &mut String, identity: &DeviceIdentity, reading: &DeviceReading, units: Units) {
    let mut parts = vec![identity.name.as_deref().map_or("unknown product".into(), brief)];
    if let Ok(celsius) = reading.temperature_celsius {
        parts.push(format!("{celsius} °C"));
    }
    if let Ok(milliwatts) = reading.power_milliwatts {
        parts.push(format!("{} W", milliwatts / 1000));
    }
    parts.push(brief(&identity.uuid));
    let _ = writeln!(text, "{}  {}", identity.frame(), parts.join(" · "));
    match DeviceStatistics::new(identity, reading, 0) {
        Err(reason) => {
            let _ = writeln!(text, "└─ memory unknown: {}", escaped(&reason.to_string()));
        }
        Ok(statistics) => {
            for line in memory(&statistics, reading, units).lines(usize::MAX) {
                let _ = writeln!(text, "{}", line.trim_end());
            }
            for advice in statistics.advice() {
                let action = advice.action().map(|action| format!("; {action}"));
                let (severity, evidence) = (advice.severity(), advice.evidence());
                let _ = writeln!(text, "   {severity}: {evidence}{}", action.unwrap_or_default());
            }
        }
    }
    text.push('\n');
}

/// Returns a line for each part of a device's memory, with its processes below the used part.
fn memory(statistics: &DeviceStatistics, reading: &DeviceReading, units: Units) -> Table {
    let memory = &statistics.memory;
    let mut table = Table::new([""; 4], &[0, 3]);
    let mut row = |name: &str, bytes: Option<u64>, note: String| {
        let amount = bytes.map_or("unknown".into(), |bytes| units.show(bytes).to_string());
        let share = bytes.filter(|_| memory.total > 0);
        let share = share.map(|part| Percent { part, whole: memory.total }.to_string());
        table.row([name.to_owned(), amount, share.unwrap_or_default(), note]);
    };
    row("├─ used", Some(memory.used), String::new());
    match &reading.processes {
        Err(reason) => row("│     processes", None, escaped(&reason.to_string())),
        Ok(processes) => {
            for process in processes {
                let name = name_of(process.pid).map_or_else(String::new, |name| brief(&name));
                row(&format!("│     {}", process.pid), process.used, name);
            }
        }
    }
    row("├─ free", Some(memory.free), String::new());
    let note = match memory.driver_reserved {
        Some(_) => "",
        None if memory.source == MemorySource::HostUnified => "shares the host's memory",
        None => "included in used",
    };
    row("└─ driver", memory.driver_reserved, note.to_owned());
    table
}

/// Returns `None` in a container, where the driver's process IDs can belong to other processes.
fn name_of(pid: u32) -> Option<String> {
    driver_pid()?;
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    Some(name.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]

    use super::text;
    use expect_test::expect;
    use memprof_gpu::{
        DeviceIdentity, DeviceReading, DeviceSampler, Environment, MemoryCounters, MemorySource,
        ProcessMemory, SamplerError, Unavailable, Wanted,
    };
    use memprof_profile::views::Units;
    use std::time::Duration;

    /// A device that is nearly full, one without a list of processes, and one that is lost.
    struct ThreeDevices(Vec<DeviceIdentity>);

    impl ThreeDevices {
        fn new() -> Self {
            let device = |index, uuid: &str, name: Option<&str>, part| DeviceIdentity {
                index,
                uuid: uuid.to_owned(),
                name: name.map(str::to_owned),
                part,
                ordinal: None,
            };
            Self(vec![
                device(0, "GPU-1111", Some("NVIDIA H100 80GB HBM3"), None),
                device(1, "MIG-2222", Some("evil\u{1b}[31m"), Some(3)),
                device(2, "unknown: lost", None, None),
            ])
        }
    }

    impl DeviceSampler for ThreeDevices {
        fn devices(&self) -> &[DeviceIdentity] {
            &self.0
        }

        fn sample(&mut self, device: usize, _: Wanted) -> Result<DeviceReading, SamplerError> {
            const TOTAL: u64 = 1_000_000_000;
            let unread = DeviceReading::unread(device, Duration::ZERO);
            let row = |pid, used| ProcessMemory { pid, used, gpu_instance: None };
            let memory =
                |free, reserved, source| MemoryCounters::balanced(TOTAL, free, reserved, source);
            Ok(match device {
                0 => DeviceReading {
                    memory: memory(40_000_000, Some(20_000_000), MemorySource::NvmlV2),
                    processes: Ok(vec![row(u32::MAX - 1, Some(900_000_000)), row(u32::MAX, None)]),
                    temperature_celsius: Ok(41),
                    power_milliwatts: Ok(121_900),
                    ..unread
                },
                1 => DeviceReading {
                    memory: memory(TOTAL, None, MemorySource::NvmlV1),
                    processes: Err(Unavailable::MissingSymbol),
                    ..unread
                },
                _ => DeviceReading { memory: Err(Unavailable::Lost), ..unread },
            })
        }

        fn environment(&self) -> Environment {
            Environment { driver: Some("580.159.03".to_owned()), cuda: None }
        }
    }

    fn page(units: Units) -> String {
        let mut sampler = ThreeDevices::new();
        let readings: Result<Vec<_>, _> =
            (0..3).map(|device| sampler.sample(device, Wanted::ALL)).collect();
        text(&sampler, &readings.expect("each device exists"), units)
    }

    #[test]
    fn the_text_has_processes_and_unknown_values() {
        expect![[r#"
            nvml:0  NVIDIA H100 80GB HBM3 · 41 °C · 121 W · GPU-1111
            ├─ used           896.5 MiB  94.0 %
            │     4294967294  858.3 MiB  90.0 %
            │     4294967295    unknown
            ├─ free            38.1 MiB   4.0 %
            └─ driver          19.1 MiB   2.0 %
               critical: 96.0 % of 953.7 MiB is used, 38.1 MiB is free; free what is not needed, or use another device

            nvml:1/mig:3  evil\u{1b}[31m · MIG-2222
            ├─ used                0 B    0.0 %
            │     processes    unknown           the driver is too old to report it
            ├─ free          953.7 MiB  100.0 %
            └─ driver          unknown           included in used

            nvml:2  unknown product · unknown: lost
            └─ memory unknown: the device is lost: reset it or restart the machine

            driver 580.159.03"#]].assert_eq(&page(Units::Iec));
    }

    #[test]
    fn amounts_have_the_requested_units() {
        let page = page(Units::Bytes);
        assert!(page.contains("940,000,000 B  94.0 %"), "{page}");
    }
}
