//! Tests of profiles made from counters.

use crate::Profile;
use crate::tree::{Branch, Device, Origin};

const GPU: Device = Device::Cuda(0);

fn card() -> Profile {
    let read = [
        (vec!["cuda:0", "used", "process"], GPU, 70),
        (vec!["cuda:0", "free"], GPU, 0),
        (vec!["cuda:0", "used"], GPU, 20),
        (vec!["cuda:0", "used", "process"], GPU, 5),
        (vec!["pinned"], Device::Cpu, 5),
        (vec![], Device::Cpu, 1),
    ];
    Profile::of_counters("gpu", read)
}

#[test]
fn bytes_of_one_path_and_device_add_up_in_any_order() {
    let folded = "gpu 1\ngpu;cuda:0;used 20\ngpu;cuda:0;used;process 75\ngpu;pinned 5\n";
    assert_eq!(card().to_folded(), folded);
    assert_eq!(card().devices(), [(Device::Cpu, 6), (GPU, 95)]);
}

#[test]
fn a_counter_that_was_read_as_0_is_a_branch() {
    let profile = card();
    let device = profile.root().child("cuda:0").expect("it was read");
    assert_eq!(device.child("free").map(Branch::total_bytes), Some(0));
    assert!(device.child("reserved").is_none());
}

#[test]
fn no_counters_are_a_root_without_bytes() {
    let none = Profile::of_counters("gpu", Vec::<(Vec<&str>, Device, u64)>::new());
    assert_eq!((none.total_bytes(), none.root().children().count()), (0, 0));
}

#[test]
fn very_deep_paths_are_truncated() {
    let deep = vec!["a"; 100_000];
    let profile = Profile::of_counters("gpu", [(deep, GPU, 7)]);
    assert_eq!(profile.total_bytes(), 7);
    assert_eq!(profile.root().subtree().count(), 1024);
}

#[test]
fn joined_profiles_have_the_least_exact_origin() {
    let (values, folded) = (Profile::of(&7_u64), Profile::from_folded("a 1\n").expect("a stack"));
    let origin = |parts: &[&Profile]| Profile::joined("all", parts.iter().copied()).origin();
    assert_eq!(origin(&[&values, &card()]), Origin::Counters);
    assert_eq!(origin(&[&card(), &folded, &values]), Origin::Folded);
    assert!(!card().is_exact());
    assert!(
        card()
            .to_string()
            .ends_with("from counters, which do not record exactness · 95 B on cuda:0")
    );
}

#[cfg(feature = "json")]
#[test]
fn json_keeps_the_devices_of_counters() {
    let card = card();
    let read = Profile::from_json(&card.to_json().expect("it fits")).expect("as it was written");
    assert_eq!(read, card);
}
