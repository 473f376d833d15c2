//! Tests of texts as kernels write them, of malformed texts, and of the memory of this process.

use super::{
    Group, ProcessMemoryReader, Version, find_groups, inactive_file, limit, parse_status,
    pressure_of_groups, stalled_percent, usage, usage_and_limit,
};
use memprof_recording::document::ProcessMemory;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

const KIB: u64 = 1024;

/// Returns the resident bytes; their anonymous, file and shared parts; the peak; the swapped
/// bytes.
fn parsed(text: &[u8]) -> [Option<u64>; 6] {
    let mut memory = ProcessMemory::default();
    parse_status(text, &mut memory);
    assert_eq!((memory.cgroup_usage_bytes, memory.cgroup_limit_bytes), (None, None));
    [
        memory.rss_bytes,
        memory.rss_anonymous_bytes,
        memory.rss_file_bytes,
        memory.rss_shared_bytes,
        memory.rss_peak_bytes,
        memory.swap_bytes,
    ]
}

const STATUS: &str = "Name:\tserver\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t812\nPid:\t812\n\
    Groups:\t4 24 27 30\nVmPeak:\t  274432 kB\nVmSize:\t  208896 kB\nVmLck:\t       0 kB\n\
    VmPin:\t       0 kB\nVmHWM:\t   61440 kB\nVmRSS:\t   40960 kB\nRssAnon:\t   30000 kB\n\
    RssFile:\t   10000 kB\nRssShmem:\t     960 kB\nVmData:\t   70000 kB\nVmStk:\t     132 kB\n\
    VmExe:\t    1200 kB\nVmLib:\t    4000 kB\nVmPTE:\t     180 kB\nVmSwap:\t      12 kB\n\
    HugetlbPages:\t       0 kB\nThreads:\t9\nvoluntary_ctxt_switches:\t150\n";

#[test]
fn kilobytes_of_the_kernel_are_1024_bytes() {
    let kib = |kib: u64| Some(kib * KIB);
    assert_eq!(
        parsed(STATUS.as_bytes()),
        [kib(40960), kib(30000), kib(10000), kib(960), kib(61440), kib(12)]
    );
}

#[test]
fn missing_figures_are_unknown_and_not_0() {
    let none = [None; 6];
    let rss = |bytes| [Some(bytes), None, None, None, None, None];
    let cases: [(&[u8], _); 16] = [
        (b"", none),
        // Kernels before 4.5 and emulations leave fields out; zombies have none.
        (b"Name:\tx\nVmRSS:\t   8 kB\nThreads:\t1\n", rss(8 * KIB)),
        (b"Name:\tx\nState:\tZ (zombie)\n", none),
        (b"VmRSS:\t0 kB", rss(0)),
        (b"VmRSS:8 kB\n", rss(8 * KIB)),
        // These texts are cut off, some of them within a number.
        (b"VmRSS:\t 4096", none),
        (b"VmRSS:\t 4096 ", none),
        (b"VmRSS:\t 4096 k", none),
        (b"VmRSS:", none),
        (b"VmRSS", none),
        (b"VmRSS:\t 4096 MB\n", none),
        (b"VmRSS:\t -1 kB\n", none),
        (b"VmRSS:\t +1 kB\n", none),
        (b"VmRSS:\t kB\nVmRSSx:\t1 kB\n", none),
        // These amounts are too large in bytes, or already as numbers.
        (b"VmRSS:\t18014398509481984 kB\nVmHWM:\t99999999999999999999 kB", none),
        (b"\xff\xfe:\nVmRSS:\t\xff kB\nVmRSS2:\t\n::\n", none),
    ];
    for (text, expected) in cases {
        assert_eq!(parsed(text), expected, "{}", String::from_utf8_lossy(text));
    }
    assert_eq!(parsed(b"VmRSS:\t18014398509481983 kB"), rss(u64::MAX - 1023));
}

#[test]
fn a_truncated_text_has_no_other_number() {
    let whole = parsed(STATUS.as_bytes());
    for end in 0..STATUS.len() {
        for (cut, whole) in parsed(&STATUS.as_bytes()[..end]).into_iter().zip(whole) {
            assert!(cut.is_none() || cut == whole, "{}", &STATUS[..end]);
        }
    }
}

const V2: &str = "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
const V1: &str = "\
    31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n\
    32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct\n\
    35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n\
    41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";

fn groups(version: Version, folders: &[&str]) -> Vec<Group> {
    folders.iter().map(|folder| Group::new(Path::new(folder), version)).collect()
}

#[test]
fn the_group_and_those_around_it_are_found() {
    use Version::{One, Two};
    let cases = [
        (
            "a service, version 2",
            "0::/system.slice/app.service\n",
            V2,
            groups(
                Two,
                &[
                    "/sys/fs/cgroup/system.slice/app.service",
                    "/sys/fs/cgroup/system.slice",
                    "/sys/fs/cgroup",
                ],
            ),
        ),
        ("a container that sees only its own", "0::/\n", V2, groups(Two, &["/sys/fs/cgroup"])),
        (
            "version 1, with a tree of version 2 beside it",
            "4:memory:/a/b\n1:cpu,cpuacct:/c\n0::/d\n",
            V1,
            groups(
                One,
                &["/sys/fs/cgroup/memory/a/b", "/sys/fs/cgroup/memory/a", "/sys/fs/cgroup/memory"],
            ),
        ),
        (
            "a container that knows its name outside",
            "4:memory:/docker/0a1b/inner\n",
            "9 1 0:32 /docker/0a1b /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
            groups(One, &["/sys/fs/cgroup/memory/inner", "/sys/fs/cgroup/memory"]),
        ),
        (
            "memory with others in one tree, a colon and a space in names",
            "3:cpu,memory:/a:b c\n",
            "9 1 0:32 / /my\\040groups ro master:1 - cgroup none rw,cpu,memory\n",
            groups(One, &["/my groups/a:b c", "/my groups"]),
        ),
        (
            "the second of two mounts is of its part",
            "0::/a/b\n",
            "9 1 0:26 /x /elsewhere rw - cgroup2 none rw\n\
             9 1 0:26 /a /here rw - cgroup2 none rw\n",
            groups(Two, &["/here/b", "/here"]),
        ),
    ];
    for (case, groups, mounts, expected) in cases {
        assert_eq!(find_groups(groups, mounts), expected, "{case}");
    }
}

/// Writes the files of the groups `outer` and `inner`, with their usage and limit, and reads them.
fn read_groups<T>(
    outer: [&str; 2],
    inner: [&str; 2],
    read: impl FnOnce(&mut [Group], &mut Vec<u8>) -> T,
) -> T {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = format!("memprof-{}-{}", std::process::id(), NUMBER.fetch_add(1, Relaxed));
    let top = std::env::temp_dir().join(name);
    for (name, [used, limit]) in [("outer", outer), ("outer/inner", inner)] {
        let group = top.join(name);
        fs::create_dir_all(&group).expect("it is made");
        let files = [
            ("memory.current", used),
            ("memory.max", limit),
            ("memory.stat", "anon 9\ninactive_file 3\nactive_file 2\n"),
        ];
        for (file, text) in files {
            fs::write(group.join(file), text).expect("it is written");
        }
    }
    let mounts = V2.replace("/sys/fs/cgroup", top.to_str().expect("it is text"));
    let mut groups = find_groups("0::/outer/inner\n", &mounts);
    let result = read(&mut groups, &mut Vec::new());
    fs::remove_dir_all(top).expect("it was made");
    result
}

#[test]
fn a_limit_is_compared_with_the_usage_of_its_own_group() {
    let pressure = |outer, inner| {
        let pressure = read_groups(outer, inner, |groups, buffer| {
            for group in &mut *groups {
                group.limit(buffer);
            }
            pressure_of_groups(groups, buffer)
        });
        pressure.map(|pressure| (pressure.used_bytes, pressure.limit_bytes))
    };
    assert_eq!(pressure(["95\n", "100\n"], ["15\n", "max\n"]), Some((90, 100)));
    assert_eq!(pressure(["95\n", "1000\n"], ["15\n", "20\n"]), Some((10, 20)));
    assert_eq!(pressure(["95\n", "max\n"], ["15\n", "max\n"]), None);
    assert_eq!(pressure(["\n", "100\n"], ["15\n", "1000\n"]), Some((10, 1000)));
}

#[test]
fn usage_and_limit_are_those_of_one_group() {
    let read = |outer, inner| read_groups(outer, inner, usage_and_limit);
    let cases = [
        (["95\n", "100\n"], ["15\n", "max\n"], [Some(92), Some(100)]),
        (["95\n", "100\n"], ["15\n", "20\n"], [Some(92), Some(100)]),
        (["95\n", "1000\n"], ["15\n", "20\n"], [Some(12), Some(20)]),
        (["95\n", "max\n"], ["15\n", "max\n"], [Some(12), None]),
        // A usage that cannot be read is compared last.
        (["\n", "100\n"], ["15\n", "1000\n"], [Some(12), Some(1000)]),
        (["\n", "100\n"], ["\n", "1000\n"], [None, Some(100)]),
    ];
    for (outer, inner, expected) in cases {
        assert_eq!(read(outer, inner), expected, "{outer:?} around {inner:?}");
    }
}

#[test]
fn the_time_that_tasks_waited_for_memory_is_in_whole_percent() {
    let cases: [(&[u8], _); 5] = [
        (b"some avg10=3.97 avg60=0.11 avg300=0.00 total=5\nfull avg10=0.00", Some(3)),
        (b"some avg10=100.00", Some(100)),
        (b"full avg10=3.00", None),
        (b"some avg10=-1.00", None),
        (b"", None),
    ];
    for (text, expected) in cases {
        assert_eq!(stalled_percent(text), expected, "{}", String::from_utf8_lossy(text));
    }
}

#[test]
fn a_group_that_is_nowhere_is_not_found() {
    let cases = [
        ("", V2),
        ("0::/\n", ""),
        ("0::", V2),
        ("0:/\n::\n:\n", V2),
        ("0::a\n", V2),
        // The group is outside of what the process sees.
        ("0::/../b\n", V2),
        ("0::/a/../../b\n", V2),
        ("0::/\n", "9 1 0:26 /../.. /sys/fs/cgroup rw - cgroup2 none rw\n"),
        ("0::/ab\n", "9 1 0:26 /a /sys/fs/cgroup rw - cgroup2 none rw\n"),
        // Only the other version is mounted.
        ("4:memory:/a\n", V2),
        ("4:memory2:/a\n", V1),
        ("0::/\n", "9 1 0:26 / /sys/fs/cgroup rw - cgroup2 none\n"),
        ("0::/\n", "9 1 0:26 / - cgroup2 none rw\n - \n9 - cgroup2\n"),
    ];
    for (groups, mounts) in cases {
        assert_eq!(find_groups(groups, mounts), [], "{groups:?} in {mounts:?}");
    }
}

#[test]
fn hostile_paths_stay_bounded() {
    let deep = format!("0::{}\n", "/a".repeat(10_000));
    assert!(find_groups(&deep, V2).len() <= 32);
    let escapes = "9 1 0:26 / /a\\04\\999\\777\\é\\ rw - cgroup2 none rw\n";
    assert!(!find_groups("0::/\n", escapes).is_empty());
}

#[test]
fn no_limit_is_none_in_each_version() {
    let cases: [(&[u8], Option<u64>); 10] = [
        (b"536870912\n", Some(512 << 20)),
        (b"0\n", Some(0)),
        (b"max\n", None),
        // The largest numbers of pages of 4 KiB and of 64 KiB, and the largest number of bytes.
        (b"9223372036854771712\n", None),
        (b"9223372036854710272\n", None),
        (b"9223372036854775807\n", None),
        (b"99999999999999999999\n", None),
        (b"", None),
        (b"-1\n", None),
        (b"12 34\n", None),
    ];
    for (text, expected) in cases {
        assert_eq!(limit(text), expected, "{}", String::from_utf8_lossy(text));
    }
    for (text, expected) in [
        ("anon 4096\ninactive_anon 7\ninactive_file 8192\nactive_file 5\n", Some(8192)),
        ("cache 9\ninactive_file 1\ntotal_cache 9\ntotal_inactive_file 12288\n", Some(12288)),
        ("inactive_file 40", Some(40)),
        ("inactive_file x\n", None),
        ("anon 4096\n", None),
        ("", None),
    ] {
        assert_eq!(inactive_file(text.as_bytes()), expected, "{text}");
    }
    assert_eq!(usage(b"40960\n"), Some(40960));
    assert_eq!(usage(b"max\n"), None);
}

#[test]
fn this_process_is_resident() {
    assert!(Path::new("/proc/self/status").exists(), "procfs is not mounted");
    let mut reader = ProcessMemoryReader::new();
    let kept = std::hint::black_box(vec![1_u8; 8 << 20]);
    for _ in 0..2 {
        let memory = reader.read();
        let rss = memory.rss_bytes.expect("every kernel tells it");
        assert!((8 << 20..1 << 40).contains(&rss), "{memory:?}");
        let parts = [memory.rss_anonymous_bytes, memory.rss_file_bytes, memory.rss_shared_bytes];
        assert!(parts.iter().flatten().sum::<u64>() <= rss, "{memory:?}");
        // The kernel counts pages on each processor and adds up the counts with a delay, so the
        // peak may be below the current value.
        assert!(memory.rss_peak_bytes.is_none_or(|peak| peak >= rss / 2), "{memory:?}");
        assert!(memory.cgroup_limit_bytes.is_none_or(|limit| limit < 1 << 62), "{memory:?}");
    }
    drop(kept);
}

#[test]
fn a_reading_never_fails() {
    let mut reader = ProcessMemoryReader::new();
    let memory = reader.read();
    let known = (memory.rss_bytes.is_some(), memory.rss_peak_bytes.is_some());
    assert_eq!(known, (true, true));
    if let (Some(now), Some(peak)) = (memory.rss_bytes, memory.rss_peak_bytes) {
        assert!(now > 0 && peak > 0, "{memory:?}");
    }
}
