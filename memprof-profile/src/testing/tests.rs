//! Tests of the files that the macros write: their names, their folders, and that no partial file
//! is left.

#![expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]

use crate::testing::{crate_name, file_name, report_folder, text};
use expect_test::expect;
use std::fs;
use std::path::PathBuf;

fn folder(test: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("memprof-{}-{test}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder for temporary files is writable");
    folder
}

#[test]
fn reports_are_named_after_the_crate_and_the_test() {
    let cases = [
        ("model", "tree::grows", "model.tree.grows"),
        ("model", "tests::case_1 - f64", "model.tests.case_1_-_f64"),
        ("model", "../../etc/passwd", "model..._.._etc_passwd"),
        ("model", "C:\\x\u{0}\n\u{1b}[31m", "model.C__x____31m"),
        ("model", "Vec<f64>", "model.Vec_f64_"),
        ("model", "名前", "model.名前"),
        ("", "::", "report"),
        ("", "..", "report"),
    ];
    for (crate_name, subject, expected) in cases {
        assert_eq!(file_name(crate_name, subject), expected);
    }
    assert!(file_name("x", &"名".repeat(1000)).len() <= 160);
}

#[test]
fn reports_are_in_the_folder_of_cargos_outputs() {
    let root = folder("report_folder");
    fs::create_dir_all(root.join("build/debug/deps")).unwrap();
    let program = root.join("build/debug/deps/test");
    assert_eq!(report_folder(&program), None);
    for mark in ["CACHEDIR.TAG", ".rustc_info.json"] {
        fs::write(root.join("build").join(mark), "").unwrap();
        assert_eq!(report_folder(&program), Some(root.join("build/memprof")));
        fs::remove_file(root.join("build").join(mark)).unwrap();
    }
    assert_eq!(report_folder(&root.join("elsewhere/test")), None);
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn a_report_is_written_under_the_name_of_its_test() {
    let folder = report_folder(&std::env::current_exe().unwrap()).expect("cargo built this test");
    let name = "memprof_profile.testing.tests.a_report_is_written_under_the_name_of_its_test";
    let files = ["", "-2"].map(|number| folder.join(format!("{name}{number}.txt")));
    let values = (vec![0_u8; 1000], String::from("data"));
    let values_ref = &values;
    crate::report!(values_ref);
    crate::report!(crate::Profile::named("second", &values.1));
    let [first, second] = files.map(|file| fs::read_to_string(file).unwrap());
    assert!(first.starts_with("tuple: 1.0 KiB, 48 B inline, 2 alloc"), "{first}");
    assert!(first.contains("\ntuple  1.0 KiB  100.0 %\n"), "{first}");
    assert!(second.starts_with("second: 28 B, "), "{second}");
}

#[test]
fn a_report_has_figures_advice_the_tree_and_one_footer() {
    let model = (Vec::<f64>::with_capacity(4096), vec![String::from("row"); 100]);
    expect![[r#"
        model: 34.7 KiB, 48 B inline, 102 allocations
          data          300 B    0.8 %
          metadata   34.4 KiB   99.2 %  117.39 B for each byte of data, 32.0 KiB spare in total
          warning    spare at model;0: 32.0 KiB of 32.0 KiB is unused capacity (100.0 %); call
                     `shrink_to_fit` after filling it, or reserve only the capacity it needs (saves
                     32.0 KiB)

        model  34.7 KiB  100.0 %
        ├─ 0   32.0 KiB   92.3 %   32.0 KiB spare
        └─ 1    2.7 KiB    7.7 %   100 values, 101 allocations
        exact · 102 allocations · 32.0 KiB spare (92.3 %)"#]]
    .assert_eq(&text(&crate::Profile::named("model", &model)));
}

#[test]
fn a_report_is_no_longer_than_a_screen() {
    let names: Vec<String> = (0..500).map(|index| format!("name {index}").repeat(3)).collect();
    let values: Vec<Vec<u64>> = (0..500).map(|_| Vec::with_capacity(1000)).collect();
    let roots = names.iter().zip(&values).map(|(name, value)| (name, value as _));
    let text = text(&crate::Profile::of_all("a_long_name", roots));
    assert!(text.lines().count() <= 38, "{text}");
    assert!(text.contains("info       spare at "), "{text}");
    let tree = text.split_once("\n\n").unwrap().1;
    assert!(tree.lines().count() > 2 && tree.lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn a_report_is_named_after_the_package_and_its_crate() {
    assert_eq!(crate_name("my_model::tests", Some("my-model")), "my_model");
    assert_eq!(crate_name("all::tree", Some("my-model")), "my_model.all");
    assert_eq!(crate_name("rust_out", None), "rust_out");
}

#[test]
fn a_report_that_cannot_be_written_has_the_reason() {
    let root = folder("unwritable_report");
    fs::write(root.join("file"), "").unwrap();
    assert!(super::write(&root.join("file/memprof/x.txt"), "text").is_err());
    fs::remove_dir_all(root).unwrap();
}

#[cfg(feature = "json")]
mod stored {
    use super::folder;
    use crate::Profile;
    use crate::testing::Tolerance;
    use crate::testing::stored::{Stored, existing};
    use expect_test::{Expect, expect};
    use std::fs;
    use std::path::Path;

    fn compare(profile: &Profile, file: &Path, most: Option<Tolerance>) -> Result<(), String> {
        Stored { file, shown: file }.compare(profile, most)
    }

    fn update(profile: &Profile, file: &Path) -> Result<(), String> {
        Stored { file, shown: file }.update(profile)
    }

    fn profile(values: usize, names: usize) -> Profile {
        Profile::named("model", &(vec![0.0_f64; values], vec![String::from("row"); names]))
    }

    #[test]
    fn a_moved_package_is_found_by_the_environment() {
        let root = folder("package_folder");
        let (gone, present) = (root.join("gone"), root.join("there"));
        fs::create_dir(&present).unwrap();
        assert_eq!(existing(Some(present.clone()), Some(root.clone())), present);
        assert_eq!(existing(Some(gone.clone()), Some(present.clone())), present);
        assert_eq!(existing(Some(gone.clone()), Some(gone)), Path::new("."));
        assert_eq!(existing(None, None), Path::new("."));
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_profile_is_stored_and_compared() {
        let root = folder("stored");
        let file = root.join("profiles/model.json");
        let check = |profile: &Profile, tolerance: Option<&str>, expected: Expect| {
            let tolerance = tolerance.map(|text| text.parse().unwrap());
            let message = compare(profile, &file, tolerance).err();
            let message = message.unwrap_or_else(|| "as stored".into());
            expected.assert_eq(&message.replace(root.to_str().unwrap(), "…"));
        };
        check(
            &profile(1000, 10),
            None,
            expect![[r#"
            no stored profile …/profiles/model.json
            to write it: MEMPROF_UPDATE=1 cargo test"#]],
        );
        update(&profile(1000, 10), &file).unwrap();
        check(&profile(1000, 10), None, expect!["as stored"]);
        check(
            &profile(1010, 10),
            None,
            expect![[r#"
                differs from …/profiles/model.json
                +80 B  7.8 KiB →  7.9 KiB  +1.0 %  model;0
                +80 B  8.1 KiB →  8.2 KiB  +1.0 %  total
                1 path grown · exact before and after
                to accept the change: MEMPROF_UPDATE=1 cargo test"#]],
        );
        check(&profile(1010, 10), Some("1%"), expect!["as stored"]);
        check(
            &profile(1011, 9),
            Some("1%"),
            expect![[r#"
                differs from …/profiles/model.json by more than 1 %
                +88 B  7.8 KiB →  7.9 KiB  +1.1 %  model;0
                −27 B    294 B →    267 B  −9.2 %  model;1
                +61 B  8.1 KiB →  8.2 KiB  +0.7 %  total
                2 paths changed: 1 grown, 1 shrunk · exact before and after
                to accept the change: MEMPROF_UPDATE=1 cargo test"#]],
        );
        check(
            &profile(1010, 10),
            Some("79 B"),
            expect![[r#"
                differs from …/profiles/model.json by more than 79 B
                +80 B  7.8 KiB →  7.9 KiB  +1.0 %  model;0
                +80 B  8.1 KiB →  8.2 KiB  +1.0 %  total
                1 path grown · exact before and after
                to accept the change: MEMPROF_UPDATE=1 cargo test"#]],
        );
        update(&profile(1011, 9), &file).unwrap();
        check(&profile(1011, 9), None, expect!["as stored"]);
        fs::write(&file, "{\"format\": \"memprof profile\", \"version\": 9}").unwrap();
        check(
            &profile(1011, 9),
            None,
            expect![[r#"
                …/profiles/model.json: the profile has format version 9, and this memprof reads version 1; use the memprof that wrote it, or a newer one
                to replace it: MEMPROF_UPDATE=1 cargo test"#]],
        );
        let left: Vec<_> = fs::read_dir(root.join("profiles")).unwrap().collect();
        assert_eq!(left.len(), 1, "nothing is left beside the file: {left:?}");
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn a_value_that_was_not_visited_is_never_as_stored() {
        let root = folder("unvisited");
        let file = root.join("model.json");
        let value = (std::cell::RefCell::new(vec![0_u8; 100]), 1_u8);
        let _borrowed = value.0.borrow_mut();
        let profile = Profile::named("model", &value);
        update(&profile, &file).unwrap();
        for tolerance in [None, Some("100%".parse().unwrap())] {
            let error = compare(&profile, &file, tolerance).unwrap_err();
            assert!(error.ends_with("because 0 (borrowed) was not visited"), "{error}");
        }
        assert!(!profile.diff(&profile).is_within("100%".parse().unwrap()));
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn a_failed_write_leaves_the_file_unchanged() {
        let root = folder("unwritable");
        fs::create_dir(root.join("model.json")).unwrap();
        let error = update(&profile(1, 1), &root.join("model.json")).unwrap_err();
        assert!(error.ends_with("model.json\" is a folder; specify a file in it"), "{error}");
        fs::write(root.join("file"), "").unwrap();
        let error = update(&profile(1, 1), &root.join("file/model.json")).unwrap_err();
        assert!(error.contains("model.json can't be written: "), "{error}");
        fs::remove_file(root.join("file")).unwrap();
        let left: Vec<_> = fs::read_dir(&root).unwrap().collect();
        assert_eq!(left.len(), 1, "nothing is left beside it: {left:?}");
        let error = compare(&profile(1, 1), &root.join("model.json"), None).unwrap_err();
        assert!(error.ends_with("is a folder; specify a file in it"), "{error}");
        assert!(update(&profile(1, 1), Path::new("")).is_err());
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn other_files_are_not_overwritten() {
        let root = folder("foreign");
        let file = root.join("Cargo.toml");
        fs::write(&file, "[package]").unwrap();
        let error = update(&profile(1, 1), &file).unwrap_err();
        assert!(
            error.ends_with("Cargo.toml is not a profile, so it is not overwritten"),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), "[package]");
        fs::write(&file, "").unwrap();
        update(&profile(1, 1), &file).unwrap();
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn the_message_is_no_longer_than_a_screen() {
        let root = folder("screen");
        let file = root.join("model.json");
        let long = "a_name_that_goes_on_and_on_until_nobody_remembers_how_it_began_".repeat(3);
        let map: std::collections::BTreeMap<_, _> =
            (0..1000).map(|index| (format!("{long}{index}"), vec![0_u8; index])).collect();
        let values: Vec<(String, &dyn crate::MemoryProfile)> =
            map.iter().map(|(name, value)| (name.clone(), value as _)).collect();
        update(&profile(1, 1), &file).unwrap();
        let wide = Profile::of_all(&long, values);
        let message = compare(&wide, &file, None).unwrap_err();
        assert!(message.lines().count() < 40, "{message}");
        for line in message.lines().skip(1) {
            assert!(line.chars().count() <= 100, "{line}");
        }
        fs::remove_dir_all(&root).unwrap();
    }
}

#[test]
fn the_page_of_tests_shows_a_report() {
    let names: Vec<String> = (0..1000).map(|i| format!("row {i}")).collect();
    let printed = text(&crate::Profile::of(&names));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/testing.md");
    let page = fs::read_to_string(path).expect("the page is there");
    let shown = format!("```text\n{}\n```", printed.trim_end());
    assert!(page.contains(&shown), "docs/testing.md lacks\n{printed}");
}
