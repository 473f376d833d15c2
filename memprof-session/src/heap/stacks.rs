//! Live samples by stack, operation and root, and the stacks that the timeline has.

use super::Claims;
use super::rows;
use memprof_heap::operation::operation_paths;
use memprof_heap::site::StackId;
use memprof_recording::document::{Estimate, Module, OperationPath, StackRow, StackTable};
use std::collections::{BTreeMap, BTreeSet};

/// The stacks and modules that are in the timeline. Each stack that a process can have takes one
/// bit.
#[derive(Debug, Default)]
pub(super) struct WrittenStacks {
    bits: Vec<u64>,
    modules: Vec<Module>,
}

impl WrittenStacks {
    fn has(&self, stack: u32) -> bool {
        let word = self.bits.get(stack as usize / 64).copied().unwrap_or(0);
        word >> (stack % 64) & 1 == 1
    }

    /// Returns the stacks and modules of these rows that the timeline lacks.
    pub(super) fn lacking(&self, stacks: &[StackRow]) -> StackTable {
        let mut table = StackTable::default();
        for row in stacks.iter().filter(|row| !self.has(row.stack)) {
            let addresses = addresses(row.stack);
            // The stack is empty while another thread stores it. It is then written with the next
            // moment.
            if !addresses.is_empty() {
                table.addresses.insert(row.stack, addresses);
            }
        }
        if !table.addresses.is_empty() {
            let addresses: BTreeSet<u64> = table.addresses.values().flatten().copied().collect();
            table.modules = rows::modules(&addresses);
            table.modules.retain(|module| !self.modules.contains(module));
        }
        table
    }

    /// Records that these stacks are in the timeline.
    pub(super) fn add(&mut self, table: &StackTable) {
        for &stack in table.addresses.keys() {
            let word = stack as usize / 64;
            if self.bits.len() <= word {
                self.bits.resize(word + 1, 0);
            }
            self.bits[word] |= 1 << (stack % 64);
        }
        self.modules.extend(table.modules.iter().cloned());
    }
}

/// Returns the return addresses of a stack, the innermost first. The result is empty if the process
/// has no stack of this number.
fn addresses(stack: u32) -> Vec<u64> {
    let addresses = StackId::from_number(stack).addresses();
    // On some systems, the outermost return address is 0.
    addresses.into_iter().map(|address| address as u64).filter(|address| *address != 0).collect()
}

/// Returns these stacks with their addresses and modules. Stacks that the process does not have are
/// left out.
pub(super) fn table(stacks: impl Iterator<Item = u32>) -> StackTable {
    let stacks = stacks.map(|stack| (stack, addresses(stack)));
    let addresses: BTreeMap<_, _> = stacks.filter(|(_, stack)| !stack.is_empty()).collect();
    let all = addresses.values().flatten().copied().collect();
    StackTable { modules: rows::modules(&all), addresses, ..StackTable::default() }
}

/// Returns the paths of the operations of these rows.
pub(super) fn paths_of(rows: &[StackRow]) -> Vec<OperationPath> {
    let wanted: BTreeSet<u32> = rows.iter().filter_map(|row| row.path).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let paths = operation_paths();
    paths.iter().filter(|path| wanted.contains(&path.id.number())).map(rows::path).collect()
}

impl Claims {
    /// Returns the live memory of each stack, operation and root, the largest first.
    ///
    /// Each live sample is in exactly one row.
    pub(crate) fn rows(&self) -> Vec<StackRow> {
        let mut sums: BTreeMap<_, (memprof_heap::site::Estimate, memprof_heap::site::Estimate)> =
            BTreeMap::new();
        for (sample, by) in self.samples.iter().zip(&self.by) {
            let path = sample.operation.map(memprof_heap::operation::PathId::number);
            let sum = sums.entry((sample.stack.number(), path, super::claims::root(*by)));
            let sum = sum.or_default();
            sum.0 = [sum.0, sample.bytes].into_iter().sum();
            sum.1 = [sum.1, sample.blocks].into_iter().sum();
        }
        let row = |((stack, path, root), (live, blocks))| StackRow {
            stack,
            path,
            root,
            live: rounded(rows::estimate(live), 1.0),
            live_blocks: rounded(rows::estimate(blocks), 100.0),
        };
        let mut rows: Vec<StackRow> = sums.into_iter().map(row).collect();
        rows.sort_by(|a, b| b.live.value.total_cmp(&a.live.value));
        rows
    }
}

/// Rounds an estimate to whole bytes or hundredths of a block, because each digit is in the file
/// once for each row.
fn rounded(estimate: Estimate, parts: f64) -> Estimate {
    let round = |amount: f64| (amount * parts).round() / parts;
    Estimate::new(round(estimate.value), round(estimate.standard_error), estimate.samples)
}
