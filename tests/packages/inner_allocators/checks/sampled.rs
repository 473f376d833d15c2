//! Samples: the live memory of call sites, by file and line.

use memprof_heap::{Level, Rate, largest, set_level, set_rate, sites};
use std::hint::black_box;

const BLOCKS: u32 = 100;
const BYTES: u32 = 70_000;

pub(crate) fn sites_have_files_and_lines() {
    set_rate(Rate::EACH_BLOCK);
    set_level(Level::Sampled);
    let kept: Vec<Vec<u8>> = (0..BLOCKS).map(|_| block()).collect();
    let held = || {
        let sites = sites().expect("samples are taken");
        let of_block = sites.iter().find(|site| {
            let frame = site.location.as_ref();
            let function = frame.and_then(|frame| frame.function.as_deref());
            function.is_some_and(|function| function.ends_with("sampled::block"))
        });
        let of_block = of_block.expect("the function is known");
        let frame = of_block.location.clone().expect("the function is known");
        assert!(frame.file.expect("the file is known").ends_with("checks/sampled.rs"));
        assert!(frame.line.expect("the line is known") > 0);
        of_block.live.value
    };
    let bytes = f64::from(BLOCKS * BYTES);
    assert!((held() - bytes).abs() < 0.5, "{}", held());
    assert_eq!(largest(1).expect("samples are taken").blocks[0].bytes, u64::from(BYTES));
    drop(kept);
    assert!(held().abs() < 0.5, "{}", held());
    set_rate(Rate::ADAPTIVE);
}

#[inline(never)]
fn block() -> Vec<u8> {
    black_box(vec![1; BYTES as usize])
}
