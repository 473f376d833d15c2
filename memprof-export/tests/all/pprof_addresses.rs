//! Frames without a name have their address in pprof files, with a mapping of the module's file.

use crate::decoded::Decoded;
use crate::recordings::{estimate, place, recording, recording_of};
use expect_test::expect;
use memprof_export::Pprof;
use serde_json::{Value, json};

/// Returns a call site whose stack has these return addresses, innermost first, below `main`.
fn unnamed_site(addresses: &[u64]) -> Value {
    let unnamed =
        |address: &u64| json!({"function": null, "file": null, "line": null, "address": address});
    let mut stack: Vec<Value> = addresses.iter().map(unnamed).collect();
    let place = stack[0].clone();
    let mut main = place_of_main();
    main["address"] = json!(0x5555_0001_9000_u64);
    stack.push(main);
    json!({
        "place": place, "stack": stack, "live": estimate(640.0), "live_blocks": estimate(10.0),
        "allocated": estimate(640.0),
    })
}

fn place_of_main() -> Value {
    place("app::main", "src/main.rs", 4)
}

/// Returns the modules of the program `importer`, whose code has another address than offset, and
/// of a library.
fn modules() -> Value {
    json!([
        {"path": "/opt/importer", "build_id": "00ff12ab", "load_bias": 0x5555_0000_0000_u64,
         "ranges": [[0x5555_0000_0000_u64, 0x5555_0001_0b40_u64],
                    [0x5555_0001_1b40_u64, 0x5555_0002_0000_u64]],
         "file_offsets": [0, 0x1_0b40]},
        {"path": "/lib/libc.so.6", "build_id": null, "load_bias": 0x7f00_0000_0000_u64,
         "ranges": [[0x7f00_0000_0000_u64, 0x7f00_0010_0000_u64]], "file_offsets": [0]},
    ])
}

fn decoded(sites: &[Value], modules: &Value) -> Decoded {
    let summary = json!({"sites": sites, "modules": modules});
    Decoded::of(&Pprof::of_sites(&recording(&summary)).unwrap())
}

#[test]
fn frames_without_a_name_have_the_position_of_the_call_in_the_file() {
    // The second stack has a return address at the end of a segment, and one outside of all.
    let sites = [
        unnamed_site(&[0x7f00_0000_0201, 0x5555_0001_1c01]),
        unnamed_site(&[0x7f00_0010_0000, 0x1234, 0x5555_0001_1c01]),
    ];
    let decoded = decoded(&sites, &modules());
    expect![[r#"
        [640, 10, 640] app::main src/main.rs:4;/opt/importer+0x10c00;/lib/libc.so.6+0x200
        [640, 10, 640] app::main src/main.rs:4;/opt/importer+0x10c00;[unknown];/lib/libc.so.6+0xfffff
    "#]]
    .assert_eq(&decoded.lines());
    let program = 0x5555_0001_1b40..0x5555_0002_0000;
    let library = 0x7f00_0000_0000..0x7f00_0010_0000;
    let expected = [
        ("/opt/importer".to_owned(), "00ff12ab".to_owned(), program, 0x1_0b40),
        ("/lib/libc.so.6".to_owned(), String::new(), library, 0),
    ];
    assert_eq!(decoded.segments, expected);
    assert_eq!((&*decoded.first_file, &*decoded.program), ("/opt/importer", "importer"));
}

#[test]
fn tools_leave_out_the_hook_once_they_have_found_its_name() {
    let dropped = |addresses: &[u64]| decoded(&[unnamed_site(addresses)], &modules()).drop_frames;
    assert_eq!(dropped(&[0x1234]), "", "no frame will have a name");
    expect![[r".*memprof_heap(::|\d+)record(::|\d+)alloc(::|\d|E).*|.*(__rust_|__rdl_|__rg_)(alloc|dealloc|realloc|no_alloc_shim).*"]]
        .assert_eq(&dropped(&[0x5555_0001_1c01]));
}

#[test]
fn tools_take_the_mapping_of_names_for_the_program_if_all_its_frames_have_names() {
    let decoded = decoded(&[unnamed_site(&[0x7f00_0000_0201])], &modules());
    assert_eq!(decoded.segments.len(), 1);
    assert_eq!(decoded.first_file, "importer");
}

#[test]
fn recordings_without_offsets_have_frames_without_addresses() {
    let mut without = modules();
    for module in without.as_array_mut().unwrap() {
        module.as_object_mut().unwrap().remove("file_offsets");
    }
    let site = unnamed_site(&[0x7f00_0000_0201, 0x5555_0001_1c01]);
    let decoded = decoded(core::slice::from_ref(&site), &without);
    assert_eq!(decoded.samples[0].0, ["app::main src/main.rs:4", "[unknown]", "[unknown]"]);
    assert!(decoded.segments.is_empty());
    // A damaged list may have fewer offsets than segments.
    without[0]["file_offsets"] = json!([0]);
    let decoded = self::decoded(&[site], &without);
    assert!(decoded.segments.is_empty());
}

#[test]
fn build_ids_that_are_not_hexadecimal_digits_are_left_out() {
    for wrong in ["", "a", "ab", "../../etc", "\u{1b}[2J"] {
        let mut modules = modules();
        modules[0]["build_id"] = json!(wrong);
        let decoded = decoded(&[unnamed_site(&[0x5555_0001_1c01])], &modules);
        assert_eq!(decoded.segments[0].1, "", "{wrong:?}");
    }
}

#[test]
fn the_live_stacks_of_a_moment_have_addresses_too() {
    let mut recording = recording_of("importer", 1, Some("sampled"), &json!({}));
    recording.stacks.modules = serde_json::from_value(modules()).unwrap();
    recording.stacks.addresses = [(7, vec![0x7f00_0000_0201, 0x5555_0001_1c01])].into();
    let moment = json!({
        "at_ns": 5, "trigger": "peak", "live_bytes": 96, "rows": [[7, null, null, 96, 0, 1, 0, 1]],
    });
    let moment = serde_json::from_value(moment).unwrap();
    let decoded = Decoded::of(&Pprof::of_live_stacks(&recording, &moment).unwrap());
    assert_eq!(decoded.lines(), "[1, 96] /opt/importer+0x10c00;/lib/libc.so.6+0x200\n");
}

#[cfg(target_os = "linux")]
mod own_file {
    use super::{Decoded, decoded, unnamed_site};
    use object::read::{Object, ObjectSegment, ObjectSymbol};
    use serde_json::Value;

    #[inline(never)]
    extern "C" fn symbolized_by_a_test(number: u64) -> u64 {
        core::hint::black_box(number).wrapping_mul(3)
    }

    /// Returns this test's modules in the form of a recording.
    fn own_modules() -> Value {
        let modules = memprof::session::loaded_modules(|| Some(()));
        serde_json::to_value(modules).expect("it has no maps")
    }

    /// Returns the function at the position that the innermost frame has in the file of its mapping.
    fn function(decoded: &Decoded, shift: u64) -> Option<String> {
        let (file, at) = decoded.samples[0].0.last()?.rsplit_once("+0x")?;
        let at = u64::from_str_radix(at, 16).ok()?.wrapping_add(shift);
        let bytes = std::fs::read(file).expect("it is this test's file");
        let object = object::File::parse(&*bytes).expect("it is an object file");
        let mut segments = object.segments();
        let segment = segments.find(|segment| {
            let (offset, size) = segment.file_range();
            (offset..offset + size).contains(&at)
        })?;
        let address = at - segment.file_range().0 + segment.address();
        let contains = |symbol: &object::Symbol<'_, '_>| {
            (symbol.address()..symbol.address() + symbol.size()).contains(&address)
        };
        let symbol = object.symbols().find(contains)?;
        Some(symbol.name().expect("it is text").to_owned())
    }

    #[test]
    fn the_position_is_that_of_the_function_in_the_unstripped_file() {
        assert_eq!(symbolized_by_a_test(2), 6);
        let address = symbolized_by_a_test as *const () as u64 + 1;
        let modules = own_modules();
        let decoded = decoded(&[unnamed_site(&[address])], &modules);
        let is_it = |name: &String| name.contains("symbolized_by_a_test");
        assert!(function(&decoded, 0).is_some_and(|name| is_it(&name)), "{:?}", decoded.segments);
        // The same with an offset that is a page off finds another function or none.
        for shift in [0x1000, 0_u64.wrapping_sub(0x1000)] {
            assert!(!function(&decoded, shift).is_some_and(|name| is_it(&name)), "{shift:#x}");
        }
        let (_, build_id, ..) = &decoded.segments[0];
        assert_eq!(Some(build_id.as_str()), modules[0]["build_id"].as_str());
    }
}
