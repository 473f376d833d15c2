//! Tests the results of the kernels in an interpreter, and the kernels themselves with the
//! assembler.

use super::machine::Machine;
use super::{PAIRS, THREADS, TYPES, ptx};
use crate::backend::{Backend, Binary};
use crate::element::{Element, random};
use crate::host::Host;
use half::{bf16, f16};
use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn each_kernel_exists_once_for_each_type() {
    let text = ptx();
    let names = PAIRS.map(|(name, _)| name).into_iter().chain(["scale", "sum", "finish"]);
    for name in names {
        for of in &TYPES {
            let entry = format!(".entry {name}_{}(", of.name);
            assert_eq!(text.matches(&entry).count(), 1, "{entry}");
        }
    }
    assert_eq!(text.matches(".entry").count(), 18);
}

/// The assembler is part of CUDA's toolkit, and of the wheel `nvidia-cuda-nvcc-cu12`.
#[test]
#[ignore = "needs ptxas"]
fn the_assembler_accepts_the_kernels() {
    let assembler = std::env::var("PTXAS").unwrap_or_else(|_| "ptxas".to_owned());
    for architecture in ["sm_80", "sm_90"] {
        let spawned = Command::new(&assembler)
            .args(["-arch", architecture, "-o", "/dev/null", "-"])
            .stdin(Stdio::piped())
            .spawn();
        let mut process = match spawned {
            Ok(process) => process,
            Err(error) => {
                println!("skipped: {assembler}: {error}");
                return;
            }
        };
        process.stdin.take().unwrap().write_all(ptx().as_bytes()).unwrap();
        assert!(process.wait().unwrap().success(), "{architecture}");
    }
}

/// Returns the bytes in little-endian order, as on the host and the device.
fn bytes_of<T: Element>(elements: &[T]) -> Vec<u8> {
    let bytes = |element: &T| element.bits().to_le_bytes().into_iter().take(size_of::<T>());
    elements.iter().flat_map(bytes).collect()
}

/// Fills the result before a kernel runs, so that missing or excess writes are visible.
fn unset<T: Element>(elements: usize) -> Vec<u8> {
    vec![0x55; elements * size_of::<T>()]
}

fn assert_combine<T: Element>(elements: usize) {
    let ptx = ptx();
    let mut machine = Machine::new(&ptx);
    let count = elements as u64;
    let blocks = (elements as u32).div_ceil(THREADS);
    let (one, other) = (random::<T>(elements, 1), random::<T>(elements, 2));
    let parameters = |machine: &mut Machine<'_>| {
        let (a, b) = (machine.upload(&bytes_of(&one)), machine.upload(&bytes_of(&other)));
        // A sentinel after the result.
        let result = machine.upload(&unset::<T>(elements + 1));
        [("one", a), ("other", b), ("result", result), ("count", count)]
    };
    let assert_memory = |machine: &Machine<'_>, result: u64, expected: &[T], of: &str| {
        let bytes = size_of_val(expected);
        let name = format!("{of} of {elements} {}", T::DTYPE);
        assert_eq!(machine.read(result, bytes), bytes_of(expected), "{name}");
        let behind = machine.read(result + bytes as u64, size_of::<T>());
        assert_eq!(behind, unset::<T>(1), "{name} writes behind its result");
    };
    for operation in [Binary::Add, Binary::Mul, Binary::Div] {
        let parameters = parameters(&mut machine);
        let kernel = format!("{}_{}", operation.name(), T::DTYPE);
        machine.launch(&kernel, blocks, THREADS, &parameters);
        let expected = Host.combine(operation, &one, &other).unwrap();
        assert_memory(&machine, parameters[2].1, &expected, operation.name());
    }
    let [a, _, result, count] = parameters(&mut machine);
    let factor = ("factor", u64::from(1000.0_f32.to_bits()));
    let kernel = format!("scale_{}", T::DTYPE);
    machine.launch(&kernel, blocks, THREADS, &[a, result, factor, count]);
    assert_memory(&machine, result.1, &Host.scale(&one, 1000.0).unwrap(), "scale");
    assert_sum(&mut machine, &one, blocks);
}

/// Asserts that the sum equals the host's. The order of additions differs, so the last digits may
/// differ.
fn assert_sum<T: Element>(machine: &mut Machine<'_>, one: &[T], blocks: u32) {
    let a = machine.upload(&bytes_of(one));
    let sums = machine.upload(&unset::<f32>(blocks as usize));
    let parameters = [("one", a), ("result", sums), ("count", one.len() as u64)];
    machine.launch(&format!("sum_{}", T::DTYPE), blocks, THREADS, &parameters);
    let result = machine.upload(&unset::<T>(2));
    let factor = ("factor", u64::from(0.5_f32.to_bits()));
    let parameters = [("one", sums), ("result", result), factor, ("count", blocks.into())];
    machine.launch(&format!("finish_{}", T::DTYPE), 1, THREADS, &parameters);
    let exact: f64 = one.iter().map(|element| f64::from(element.to_f32())).sum::<f64>() / 2.0;
    let expected = T::from_f32(exact as f32);
    let found = machine.read(result, size_of::<T>());
    let near = [-1e-3, 0.0, 1e-3].map(|off| bytes_of(&[T::from_f32((exact + off) as f32)]));
    if T::DTYPE == "f32" {
        let found = f32::from_le_bytes(found.try_into().unwrap());
        assert!((f64::from(found) - exact).abs() < 1e-3, "{found} and {exact}");
    } else {
        assert!(near.iter().any(|near| near == found), "{found:?} and {expected:?}");
    }
    assert_eq!(machine.read(result + size_of::<T>() as u64, size_of::<T>()), unset::<T>(1));
}

#[test]
fn kernels_compute_the_bits_of_the_host() {
    for elements in [1, 256, 257, 600] {
        assert_combine::<f32>(elements);
        assert_combine::<f16>(elements);
        assert_combine::<bf16>(elements);
    }
}

/// The device launches at most 256 blocks, so in a long array each thread adds several elements.
/// Here 2 blocks are enough to test that.
#[test]
fn sums_include_more_elements_than_threads() {
    let ptx = ptx();
    for elements in [1025, 2000] {
        let one = random::<f32>(elements, 9);
        assert_sum(&mut Machine::new(&ptx), &one, 2);
    }
}
