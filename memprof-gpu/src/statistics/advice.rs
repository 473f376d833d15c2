//! Advice about a device's memory: too little free memory, unused cache, and memory of other
//! processes.

use crate::{DeviceIdentity, DeviceStatistics, MemoryCounters, MemorySource, Unavailable};
use memprof_profile::Profile;
use memprof_profile::report::{Advisor, Recommendation, Rule, Severity, Thresholds};
use memprof_profile::source::ATTRIBUTED;
use memprof_profile::text::percent;
use memprof_profile::tree::{Branch, Origin};
use memprof_profile::views::Units;

const UNITS: Units = Units::Iec;
/// The rule warns if at least this share of a device's memory is in use.
const WARNING_PRESSURE: f64 = 0.85;
/// The severity is critical if at least this share is in use.
const CRITICAL_PRESSURE: f64 = 0.95;
/// The ratio of peak to live bytes from which the rule reports the peak. Smaller ratios are normal.
const PEAK_RATIO: u64 = 2;
/// The rule reports cached bytes if their share of the reserved bytes is above this one.
const CACHED_SHARE: f64 = 0.2;
/// The rule reports other processes if they hold more than this share of the device's memory.
const OTHER_PROCESSES_SHARE: f64 = 0.1;
/// The rule reports at least this many cached bytes, or bytes of a peak above the live bytes.
const MIN_BYTES: u64 = 64 << 20;

/// The rule `device memory`, checked against the profile of a [`GpuSource`](crate::GpuSource).
///
/// The profile can come from a file. A profile contains neither peaks nor cached bytes, so this
/// rule reports less than [`DeviceStatistics::advice`].
///
/// ```
/// use memprof::gpu::GpuRule;
/// use memprof::report::Advisor;
/// use memprof::tree::Device;
/// use memprof::Profile;
///
/// let read = [(["nvml:0", "free"], Device::Nvml(0), 1), (["nvml:0", "used"], Device::Nvml(0), 9)];
/// let advice = Advisor::new().rule(GpuRule).advise(&Profile::of_counters("gpu", read));
/// assert_eq!(advice[0].evidence(), "90.0 % of 10 B is used, 1 B is free");
/// ```
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "it has no state")]
pub struct GpuRule;

impl Rule for GpuRule {
    fn name(&self) -> &'static str {
        "device memory"
    }

    fn check(&self, profile: &Profile, _: &Thresholds) -> Vec<Recommendation> {
        let root = profile.root();
        if root.name() != "gpu" || profile.origin() != Origin::Counters {
            return Vec::new();
        }
        root.children().filter_map(statistics_of).flat_map(|device| device.findings()).collect()
    }
}

fn statistics_of(device: Branch<'_>) -> Option<DeviceStatistics> {
    let bytes = |branch: Branch<'_>, name| Some(branch.child(name)?.total_bytes());
    let process = device.child("used").and_then(|used| used.child("process"));
    let memory = MemoryCounters::balanced(
        device.total_bytes(),
        bytes(device, "free")?,
        bytes(device, "driver_reserved"),
        MemorySource::NvmlV2,
    );
    let (whole, part) = match device.name().split_once("/mig:") {
        Some((whole, part)) => (whole, Some(part.parse().ok()?)),
        None => (device.name(), None),
    };
    let index = whole.strip_prefix("nvml:")?.parse().ok()?;
    Some(DeviceStatistics {
        identity: DeviceIdentity { index, uuid: String::new(), name: None, part, ordinal: None },
        memory: memory.ok()?,
        held: process.and_then(|process| bytes(process, ATTRIBUTED)).unwrap_or(0),
        // Without the leaf `unattributed`, the memory of the process is unknown.
        process: process
            .filter(|process| process.child("unattributed").is_some())
            .map(Branch::total_bytes)
            .ok_or(Unavailable::NotReported),
        allocator: None,
    })
}

/// Checks `device memory` against statistics instead of a profile.
struct OfDevice<'d>(&'d DeviceStatistics);

impl Rule for OfDevice<'_> {
    fn name(&self) -> &str {
        GpuRule.name()
    }

    fn check(&self, _: &Profile, _: &Thresholds) -> Vec<Recommendation> {
        self.0.findings()
    }
}

impl DeviceStatistics {
    /// Returns the advice for this device, most severe first.
    pub fn advice(&self) -> Vec<Recommendation> {
        Advisor::without_rules().rule(OfDevice(self)).advise(&Profile::of(&()))
    }

    fn findings(&self) -> Vec<Recommendation> {
        let found =
            [self.pressure_advice(), self.peak_advice(), self.cached_advice(), self.others()];
        let at = format!("gpu;{}", self.identity.frame());
        found.into_iter().flatten().map(|one| one.at(&at)).collect()
    }

    fn pressure_advice(&self) -> Option<Recommendation> {
        let pressure = self.pressure().filter(|&share| share >= WARNING_PRESSURE)?;
        let critical = pressure >= CRITICAL_PRESSURE;
        let severity = if critical { Severity::Critical } else { Severity::Warning };
        let (free, total) = (UNITS.show(self.memory.free), UNITS.show(self.memory.total));
        let evidence = format!("{} of {total} is used, {free} is free", percent(pressure));
        // If the cache is large, the first action is to empty it.
        let cached = self.allocator.map_or(0, |allocator| allocator.cached());
        let action = match self.attributed() {
            _ if cached >= MIN_BYTES => format!(
                "empty the allocator's cache ({}), or use smaller batches",
                UNITS.show(cached)
            ),
            0 => "free what is not needed, or use another device".to_owned(),
            held => format!(
                "profiled values hold {}: use smaller batches or smaller element types",
                UNITS.show(held)
            ),
        };
        Some(Recommendation::new(severity, evidence).with_action(action))
    }

    fn peak_advice(&self) -> Option<Recommendation> {
        let allocator = self.allocator?;
        let peak = allocator.peak_allocated?;
        let live = allocator.allocated;
        if peak < live.saturating_mul(PEAK_RATIO) || peak - live < MIN_BYTES {
            return None;
        }
        let evidence = format!(
            "the peak was {}, {} is live",
            UNITS.show(peak),
            if live == 0 { "nothing".to_owned() } else { UNITS.show(live).to_string() }
        );
        let action = "the device must hold the peak: find the temporaries that are live then";
        Some(Recommendation::new(Severity::Info, evidence).with_action(action))
    }

    #[expect(clippy::cast_precision_loss, reason = "shares")]
    fn cached_advice(&self) -> Option<Recommendation> {
        let allocator = self.allocator?;
        let cached = allocator.cached();
        let share = cached as f64 / allocator.reserved.max(1) as f64;
        if share <= CACHED_SHARE || cached < MIN_BYTES {
            return None;
        }
        let evidence = format!(
            "{} of the {} taken from the device is cached and not used ({:.0} %)",
            UNITS.show(cached),
            UNITS.show(allocator.reserved),
            100.0 * share
        );
        let action = "empty the cache or trim the pool if other code needs the memory";
        Some(
            Recommendation::new(Severity::Warning, evidence)
                .with_action(action)
                .with_savings(cached),
        )
    }

    #[expect(clippy::cast_precision_loss, reason = "shares")]
    fn others(&self) -> Option<Recommendation> {
        let others = self.other_processes()?;
        let share = others as f64 / self.memory.total.max(1) as f64;
        if share <= OTHER_PROCESSES_SHARE {
            return None;
        }
        let evidence = format!(
            "other processes hold {} ({:.0} % of the device)",
            UNITS.show(others),
            100.0 * share
        );
        let action = "`memprof gpu` lists them; this program cannot use that memory";
        Some(Recommendation::new(Severity::Info, evidence).with_action(action))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]

    use crate::{
        AllocatorCounters, DeviceIdentity, DeviceStatistics, GpuRule, MemoryCounters, MemorySource,
        Unavailable,
    };
    use expect_test::expect;
    use memprof_profile::Profile;
    use memprof_profile::report::{Advisor, Recommendation, Severity};
    use memprof_profile::tree::Device;

    const GIB: u64 = 1 << 30;

    fn device(free: u64, process: Option<u64>, held: u64) -> DeviceStatistics {
        let memory = MemoryCounters::balanced(80 * GIB, free, Some(0), MemorySource::NvmlV2);
        let memory = memory.expect("no more free than there is");
        let (uuid, name) = ("GPU-1".to_owned(), None);
        let identity = DeviceIdentity { index: 0, uuid, name, part: None, ordinal: Some(0) };
        let process = process.ok_or(Unavailable::NotReported);
        DeviceStatistics { identity, memory, process, held, allocator: None }
    }

    fn severities(device: &DeviceStatistics) -> Vec<Severity> {
        device.advice().iter().map(Recommendation::severity).collect()
    }

    #[test]
    fn pressure_warns_from_85_percent_and_is_critical_from_95() {
        let at = |free| severities(&device(free, Some(80 * GIB - free), 0));
        assert_eq!(at(12 * GIB + 1), []);
        assert_eq!(at(12 * GIB), [Severity::Warning]);
        assert_eq!(at(4 * GIB), [Severity::Critical]);
        assert_eq!(at(0), [Severity::Critical]);
    }

    #[test]
    fn each_finding_has_its_evidence_and_an_action() {
        let mut allocator = AllocatorCounters::new(10 * GIB, 40 * GIB);
        allocator.peak_allocated = Some(39 * GIB);
        let device = device(10 * GIB, Some(50 * GIB), 5 * GIB).with_allocator(allocator);
        let printed: Vec<String> = device.advice().iter().map(ToString::to_string).collect();
        let expected = expect![[r#"
            device memory at gpu;nvml:0: 30.0 GiB of the 40.0 GiB taken from the device is cached and not used (75 %); empty the cache or trim the pool if other code needs the memory (saves 30.0 GiB)
            device memory at gpu;nvml:0: 87.5 % of 80.0 GiB is used, 10.0 GiB is free; empty the allocator's cache (30.0 GiB), or use smaller batches
            device memory at gpu;nvml:0: the peak was 39.0 GiB, 10.0 GiB is live; the device must hold the peak: find the temporaries that are live then
            device memory at gpu;nvml:0: other processes hold 20.0 GiB (25 % of the device); `memprof gpu` lists them; this program cannot use that memory"#]];
        expected.assert_eq(&printed.join("\n"));
    }

    #[test]
    fn a_profile_gives_the_advice_of_the_counters_except_about_allocators() {
        let mut part = device(GIB, Some(50 * GIB), 5 * GIB);
        (part.identity.ordinal, part.identity.part) = (None, Some(3));
        let whole = [device(GIB, Some(50 * GIB), 5 * GIB), device(70 * GIB, None, GIB)];
        let devices = whole.into_iter().chain([part]);
        let mut total = 0;
        for device in devices {
            let profile = Profile::of_counters("gpu", device.leaves());
            let printed = Advisor::without_rules().rule(GpuRule).advise(&profile);
            assert_eq!(printed, device.advice());
            total += printed.len();
        }
        assert!(total >= 4, "full devices and the memory of other processes are reported");
        let other = Profile::of_counters("cache", [(["nvml:0", "free"], Device::Nvml(0), 0)]);
        assert!(Advisor::without_rules().rule(GpuRule).advise(&other).is_empty());
    }

    #[test]
    fn no_advice_for_small_amounts_or_a_device_without_memory() {
        let mut allocator = AllocatorCounters::new(0, 63 << 20);
        allocator.peak_allocated = Some(63 << 20);
        assert_eq!(severities(&device(70 * GIB, None, 0).with_allocator(allocator)), []);
    }
}
