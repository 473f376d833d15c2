//! Statistics, sharing and advice for extreme values.

use memprof::report::{Severity, Statistics};
use memprof::tree::Device;
use memprof::{MemoryProfile, Profile};
use std::sync::Arc;

/// An array of numbers with a unit. Many programs have such arrays.
#[derive(Debug, MemoryProfile)]
struct Array {
    data: Vec<f64>,
    #[profile(role = "metadata")]
    unit: Arc<String>,
    #[profile(role = "auxiliary")]
    uncertainty: Option<Vec<f64>>,
}

impl Array {
    fn of(len: usize, unit: &Arc<String>) -> Self {
        Self { data: vec![0.0; len], unit: Arc::clone(unit), uncertainty: None }
    }

    fn with_uncertainty(mut self) -> Self {
        self.uncertainty = Some(self.data.clone());
        self
    }
}

fn unit() -> Arc<String> {
    Arc::new(String::from("m/s"))
}

fn statistics<T: MemoryProfile>(value: &T) -> Statistics {
    Profile::of(value).statistics()
}

#[test]
fn an_empty_array_is_all_metadata_and_has_no_ratio() {
    let array = Array::of(0, &unit());
    let empty = statistics(&array);
    assert_eq!(empty.data, 0);
    assert_eq!(empty.metadata_share(), Some(1.0));
    assert_eq!(empty.overhead_ratio(), None);
    let roomy = Array { data: Vec::with_capacity(100), ..array };
    assert_eq!(statistics(&roomy).metadata_share(), Some(1.0), "excess capacity is not data");
}

#[test]
fn a_scalar_is_all_data() {
    let scalar = statistics(&1.5_f64);
    assert_eq!((scalar.data, scalar.metadata), (8, 0));
    assert_eq!(scalar.overhead_ratio(), Some(0.0));
    assert_eq!(Profile::of(&1.5_f64).shallow_bytes(), Some(8));
}

#[test]
fn an_array_of_one_number_is_small_and_mostly_metadata() {
    let profile = Profile::of(&Array::of(1, &unit()));
    let advice = profile.advice();
    let found = advice.iter().find(|found| found.rule() == "metadata").unwrap();
    assert_eq!(found.severity(), Severity::Warning);
    assert!(found.action().unwrap().starts_with("batch"), "{found}");
}

#[test]
fn auxiliary_data_as_large_as_the_data_is_reported() {
    let profile = Profile::named("array", &Array::of(1000, &unit()).with_uncertainty());
    let statistics = profile.statistics();
    assert_eq!((statistics.data, statistics.auxiliary), (8000, 8000));
    assert_eq!(statistics.total() - statistics.total_without_auxiliary(), 8000);
    let advice = profile.advice();
    assert_eq!((advice[0].rule(), advice[0].path()), ("auxiliary", Some("array;uncertainty")));
    assert_eq!(advice[0].savings(), Some(8000));
}

#[test]
fn a_hundred_thousand_small_arrays_share_one_unit() {
    let unit = unit();
    let arrays: Vec<Array> = (0..100_000).map(|len| Array::of(len % 8, &unit)).collect();
    drop(unit);
    let profile = Profile::named("arrays", &arrays);
    let sharing = profile.sharing();
    assert_eq!((sharing.handles, sharing.allocations), (100_000, 1));
    assert_eq!(sharing.externally_held_bytes, 0);
    let each = 16 + 24 + 3;
    assert_eq!(sharing.bytes_if_unshared, sharing.bytes + 99_999 * each);
    assert!(profile.statistics().is_metadata_shared());
    let good = profile.advice().into_iter().find(|found| found.severity() == Severity::Good);
    assert_eq!(good.unwrap().evidence(), "100,000 handles share 1 allocation");
}

#[test]
fn a_gigabyte_of_scalars_is_counted_without_visiting_them() {
    // Zeroed pages that are never touched take no memory.
    let array = Array::of(1 << 28, &unit());
    let profile = Profile::of(&array);
    assert_eq!(profile.statistics().data, 2 << 30);
    assert!(profile.statistics().overhead_ratio().unwrap() < 1e-6);
    assert!(profile.report().to_string().contains("2.0 GiB"), "{}", profile.report());
}

#[test]
fn views_of_a_buffer_count_it_once() {
    /// A part of a buffer.
    #[derive(MemoryProfile)]
    struct View {
        base: Arc<[f64]>,
        offset: usize,
        len: usize,
    }
    let base: Arc<[f64]> = vec![0.0; 1000].into();
    let views: Vec<View> =
        (0..10).map(|index| View { base: base.clone(), offset: index * 100, len: 100 }).collect();
    drop(base);
    assert!(views.iter().all(|view| view.offset + view.len <= view.base.len()));
    let profile = Profile::of(&views);
    assert_eq!(profile.total_bytes(), 24 + 10 * 32 + 16 + 8000);
    assert_eq!(profile.sharing().bytes_if_unshared, 24 + 10 * (32 + 16 + 8000));
}

#[test]
fn memory_that_several_values_share_counts_once() {
    let unit = unit();
    let (speed, wind) = (Array::of(10, &unit), Array::of(20, &unit));
    let values: [(&str, &dyn MemoryProfile); 2] = [("speed", &speed), ("wind", &wind)];
    let both = Profile::of_all("weather", values);
    assert_eq!(both.shallow_bytes(), Some(2 * size_of::<Array>() as u64));
    let apart = Profile::of(&speed).total_bytes() + Profile::of(&wind).total_bytes();
    assert_eq!(both.total_bytes(), apart - (16 + 24 + 3));
    assert_eq!(both.devices(), [(Device::Cpu, both.total_bytes())]);
    assert_eq!(both.sharing().retained_bytes, both.total_bytes() - (16 + 24 + 3));
    assert!(both.is_exact());
}

#[test]
fn a_part_has_statistics_of_its_own() {
    let profile = Profile::of(&Array::of(10, &unit()).with_uncertainty());
    let of = |name| Statistics::of(profile.root().child(name).unwrap());
    assert_eq!((of("data").data, of("data").metadata), (80, 24));
    assert_eq!((of("uncertainty").auxiliary, of("uncertainty").metadata), (80, 24));
    assert_eq!((of("unit").data, of("unit").metadata), (0, 8 + 16 + 24 + 3));
}
