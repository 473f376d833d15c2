//! An interpreter for the few instructions that the kernels use, so that tests of their results
//! need no GPU. It runs one block after the other, and the threads of a block one after the other
//! up to each barrier.

use half::{bf16, f16};
use std::collections::HashMap;

/// The lowest address of arrays. No kernel may read or write below it.
const FIRST: usize = 256;
/// A thread with more steps than this is in an endless loop.
const MAX_STEPS: usize = 100_000;

/// The interpreter with the device's memory.
pub(super) struct Machine<'p> {
    ptx: &'p str,
    memory: Vec<u8>,
}

/// The code of a kernel.
struct Code<'p> {
    instructions: Vec<Vec<&'p str>>,
    labels: HashMap<&'p str, usize>,
}

#[derive(Clone, Default)]
struct Thread<'p> {
    next: usize,
    registers: HashMap<&'p str, u64>,
    ended: bool,
}

impl<'p> Machine<'p> {
    pub(super) fn new(ptx: &'p str) -> Self {
        Self { ptx, memory: vec![0xAA; FIRST] }
    }

    /// Copies an array to the device. Returns its address, which is aligned like CUDA's.
    pub(super) fn upload(&mut self, bytes: &[u8]) -> u64 {
        let address = self.memory.len().next_multiple_of(FIRST);
        self.memory.resize(address, 0xAA);
        self.memory.extend(bytes);
        address as u64
    }

    pub(super) fn read(&self, address: u64, bytes: usize) -> &[u8] {
        &self.memory[address as usize..][..bytes]
    }

    /// Runs the kernel of this name. Parameters are passed by name.
    pub(super) fn launch(
        &mut self,
        kernel: &str,
        blocks: u32,
        threads: u32,
        parameters: &[(&str, u64)],
    ) {
        let code = Code::of(self.ptx, kernel);
        for block in 0..blocks {
            let mut shared = [0_u8; 1024];
            let special = |thread: u32| {
                let sizes = [("%nctaid.x", blocks), ("%ntid.x", threads)];
                let specials = [("%ctaid.x", block), ("%tid.x", thread), ("lanes", 0)];
                let all = sizes.into_iter().chain(specials);
                let registers = all.map(|(name, value)| (name, value.into())).collect();
                Thread { registers, ..Thread::default() }
            };
            let mut all: Vec<Thread<'p>> = (0..threads).map(special).collect();
            while all.iter().any(|thread| !thread.ended) {
                for thread in all.iter_mut().filter(|thread| !thread.ended) {
                    thread.run_to_barrier(&code, &mut self.memory, &mut shared, parameters);
                }
            }
        }
    }
}

impl<'p> Code<'p> {
    fn of(ptx: &'p str, kernel: &str) -> Self {
        let (_, from) = ptx.split_once(&format!(".entry {kernel}(")).expect("the kernel is there");
        let (_, body) = from.split_once("\n{").expect("it has a body");
        let (body, _) = body.split_once("\n}").expect("the body ends");
        let mut code = Self { instructions: Vec::new(), labels: HashMap::new() };
        for line in body.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(label) = line.strip_suffix(':') {
                code.labels.insert(label, code.instructions.len());
            } else if !line.starts_with('.') {
                let tokens = line.split([' ', ',', ';', '[', ']', '{', '}']);
                code.instructions.push(tokens.filter(|token| !token.is_empty()).collect());
            }
        }
        code
    }
}

impl<'p> Thread<'p> {
    fn run_to_barrier(
        &mut self,
        code: &Code<'p>,
        memory: &mut [u8],
        shared: &mut [u8],
        parameters: &[(&str, u64)],
    ) {
        for _ in 0..MAX_STEPS {
            let mut tokens = code.instructions[self.next].as_slice();
            self.next += 1;
            if let Some(predicate) = tokens[0].strip_prefix('@') {
                if self.registers[predicate] == 0 {
                    continue;
                }
                tokens = &tokens[1..];
            }
            match *tokens {
                ["ret"] => {
                    self.ended = true;
                    return;
                }
                ["bar.sync", _] => return,
                ["bra", label] => self.next = code.labels[label],
                ["ld.param.u64" | "ld.param.u32" | "ld.param.f32", to, name] => {
                    let value = parameters.iter().find(|(parameter, _)| *parameter == name);
                    self.registers.insert(to, value.expect("it is a parameter").1);
                }
                ["ld.global.f32", to, at] => self.load(to, at, memory, 4),
                ["ld.global.b16", to, at] => self.load(to, at, memory, 2),
                ["ld.shared.f32", to, at] => self.load(to, at, shared, 4),
                ["st.global.f32", at, from] => self.store(at, from, memory, 4),
                ["st.global.b16", at, from] => self.store(at, from, memory, 2),
                ["st.shared.f32", at, from] => self.store(at, from, shared, 4),
                // The upper half of a word comes last.
                ["mov.b32", to, low, high] => {
                    let word = self.value(low) | self.value(high) << 16;
                    self.registers.insert(to, word);
                }
                [operation, to, ref operands @ ..] => {
                    let values: Vec<u64> = operands.iter().map(|word| self.value(word)).collect();
                    self.registers.insert(to, computed(operation, &values));
                }
                ref other => panic!("{other:?} is not known"),
            }
        }
        panic!("a thread does not end");
    }

    /// Returns the value of a register or of a number.
    fn value(&self, word: &str) -> u64 {
        match word.strip_prefix("0f") {
            Some(bits) => u64::from_str_radix(bits, 16).unwrap(),
            None => word.parse().unwrap_or_else(|_| self.registers[word]),
        }
    }

    fn load(&mut self, to: &'p str, at: &str, memory: &[u8], bytes: usize) {
        let at = self.value(at) as usize;
        let mut word = [0; 8];
        word[..bytes].copy_from_slice(&memory[at..at + bytes]);
        self.registers.insert(to, u64::from_le_bytes(word));
    }

    fn store(&self, at: &str, from: &str, memory: &mut [u8], bytes: usize) {
        let at = self.value(at) as usize;
        memory[at..at + bytes].copy_from_slice(&self.value(from).to_le_bytes()[..bytes]);
    }
}

/// Returns the result of an instruction, as bits.
fn computed(operation: &str, values: &[u64]) -> u64 {
    let word = |index: usize| values[index] as u32;
    let float = |index: usize| f32::from_bits(values[index] as u32);
    let bits = |value: f32| u64::from(value.to_bits());
    match operation {
        "mov.u32" | "mov.u64" | "mov.f32" | "mov.b16" | "cvta.to.global.u64" => values[0],
        "mad.lo.u32" => word(0).wrapping_mul(word(1)).wrapping_add(word(2)).into(),
        "mul.lo.u32" => word(0).wrapping_mul(word(1)).into(),
        "mul.wide.u32" => u64::from(word(0)) * u64::from(word(1)),
        "add.u32" => word(0).wrapping_add(word(1)).into(),
        "add.u64" => values[0] + values[1],
        "shl.b32" => (word(0) << word(1)).into(),
        "shr.u32" => (word(0) >> word(1)).into(),
        "setp.ge.u32" => (word(0) >= word(1)).into(),
        "setp.ne.u32" => (word(0) != word(1)).into(),
        "add.rn.f32" => bits(float(0) + float(1)),
        "mul.rn.f32" => bits(float(0) * float(1)),
        "div.rn.f32" => bits(float(0) / float(1)),
        "cvt.f32.f16" => bits(f16::from_bits(values[0] as u16).to_f32()),
        "cvt.rn.f16.f32" => f16::from_f32(float(0)).to_bits().into(),
        "cvt.rn.bf16.f32" => bf16::from_f32(float(0)).to_bits().into(),
        other => panic!("{other} is not known"),
    }
}
