//! Live bytes by call stack at a given moment, the stacks, each written once, and the modules of
//! the process, in whose files a reader looks up the names of addresses.

use super::{Estimate, Place, Trigger};
use memprof_profile::text::{CUT_ADDRESS, CUT_FRAMES};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Live bytes by call stack at a given moment: at a peak, at a checkpoint, at a signal, when the
/// program requested a snapshot, or at the start or the end of the session.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LiveStacks {
    /// The time, in nanoseconds since the session began. No two entries of a recording have the
    /// same moment.
    pub at_ns: u64,
    /// The reason why the stacks were recorded.
    pub trigger: Trigger,
    /// The name of the checkpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The number of the snapshot of the same moment; `None` if only the stacks were recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<u64>,
    /// Live bytes without the profiler's own, counted exactly.
    pub live_bytes: i64,
    /// The names of the roots to which rows refer by index. Empty if no roots were walked at this
    /// moment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub root_names: Vec<String>,
    /// Live memory by stack, operation and root.
    pub rows: Vec<StackRow>,
    /// The free memory that live blocks pin, largest first. Empty if it was not read: it is read
    /// with the parts of the resident memory, if the program's blocks come from glibc.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pinned: Vec<PinnedRow>,
}

impl LiveStacks {
    /// Returns a moment with only its time, trigger and live bytes.
    pub fn new(at_ns: u64, trigger: Trigger, live_bytes: i64) -> Self {
        let (root_names, rows, pinned) = (Vec::new(), Vec::new(), Vec::new());
        Self { at_ns, trigger, name: None, snapshot: None, live_bytes, root_names, rows, pinned }
    }

    /// Returns the bytes of the rows that a root reached.
    pub fn bytes_of_roots(&self) -> f64 {
        self.rows.iter().filter(|row| row.root.is_some()).map(|row| row.live.value).sum()
    }
}

/// Live memory of one stack, operation and root. In files, a row is an array of the fields in this
/// order. An estimate takes two entries, its value and its standard error. The number of samples is
/// the last entry.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Row", into = "Row")]
pub struct StackRow {
    /// The number of the [stack](StackTable::addresses); 0 for stacks without a number.
    pub stack: u32,
    /// The number of the path of operations that ran at the allocation; `None` outside of
    /// operations.
    pub path: Option<u32>,
    /// The index of the root that reached the blocks, in [`root_names`](LiveStacks::root_names);
    /// `None` if no root that was walked at this moment reached them.
    pub root: Option<u32>,
    /// Live bytes.
    pub live: Estimate,
    /// Live blocks.
    pub live_blocks: Estimate,
}

#[derive(Serialize, Deserialize)]
struct Row(u32, Option<u32>, Option<u32>, f64, f64, f64, f64, u64);

impl From<Row> for StackRow {
    fn from(row: Row) -> Self {
        Self {
            stack: row.0,
            path: row.1,
            root: row.2,
            live: Estimate::new(row.3, row.4, row.7),
            live_blocks: Estimate::new(row.5, row.6, row.7),
        }
    }
}

impl From<StackRow> for Row {
    fn from(row: StackRow) -> Self {
        let (live, blocks) = (row.live, row.live_blocks);
        let errors = (live.standard_error, blocks.standard_error);
        Self(
            row.stack,
            row.path,
            row.root,
            live.value,
            errors.0,
            blocks.value,
            errors.1,
            live.samples,
        )
    }
}

/// The free memory that the live blocks of one stack, operation and root pin: memory that the
/// allocator cannot return, because a live block is on the same page.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PinnedRow {
    /// The number of the [stack](StackTable::addresses).
    pub stack: u32,
    /// The number of the path of operations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<u32>,
    /// The index of the root that reached the blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<u32>,
    /// Free bytes on the pages of the blocks. The free bytes of a page are split evenly among its
    /// blocks.
    pub free: Estimate,
    /// The bytes of resident pages on which there is a single block. The system gets at least these
    /// pages back if the blocks are freed and the allocator is trimmed. Pages at the
    /// end of a thread's arena do not count: glibc may keep them.
    pub alone: Estimate,
    /// The bytes of all resident pages of the blocks, split evenly among the blocks on a page. The
    /// system gets at most these bytes back.
    pub shared: Estimate,
}

/// Call stacks by number, and the names of their addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StackTable {
    /// The modules that contain the addresses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<Module>,
    /// The return addresses of each stack, innermost first, by the number of the stack. The address
    /// 1 stands for the frames that were cut from a deep stack.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", with = "rows")]
    pub addresses: BTreeMap<u32, Vec<u64>>,
    /// The frames of the addresses that have names. Inlined functions at one address follow each
    /// other, innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<Place>,
    /// The stacks that have no names, because a search in the recorded process left out some of
    /// their addresses.
    #[serde(skip)]
    pub(crate) unnamed: BTreeSet<u32>,
}

/// Without a limit, a damaged or hostile file could fill the memory with inlined functions.
const FRAMES: usize = 1024;
/// In bytes. Each frame has its own copy of its name, and a name may be as long as the file.
const NAME_BYTES: usize = 1 << 20;

impl StackTable {
    /// Adds the entries of another part of the table. Several parts may have the same module.
    pub fn extend(&mut self, more: Self) {
        self.modules.extend(more.modules);
        self.addresses.extend(more.addresses);
        self.frames.extend(more.frames);
    }

    /// Removes all but the first of equal modules.
    pub fn remove_repeated_modules(&mut self) {
        let mut known = HashSet::new();
        let key = |one: &Module| (one.path.clone(), one.build_id.clone(), one.ranges.clone());
        self.modules.retain(|module| known.insert((module.load_bias, key(module))));
    }

    /// Returns the named frames of each address, innermost first.
    pub fn named(&self) -> BTreeMap<u64, &[Place]> {
        let is_one = |one: &Place, next: &Place| one.address == next.address;
        let of = |frames: &[Place]| frames.first().and_then(|frame| frame.address);
        let groups = self.frames.chunk_by(is_one);
        groups.filter_map(|frames| Some((of(frames)?, frames))).collect()
    }

    /// Returns the frames of a stack, innermost first. An address without a name becomes a frame
    /// without a name.
    ///
    /// A stack of more than `FRAMES` frames or `NAME_BYTES` bytes is cut, and its last returned
    /// frame marks the cut.
    pub fn frames_of(&self, stack: u32, named: &BTreeMap<u64, &[Place]>) -> Vec<Place> {
        let addresses = self.addresses.get(&stack).map_or(&[][..], Vec::as_slice);
        let (mut all, mut bytes) = (Vec::new(), 0);
        for &address in addresses {
            let unnamed = match address {
                CUT_ADDRESS => Place { function: Some(CUT_FRAMES.to_owned()), ..Place::default() },
                _ => Place { address: Some(address), ..Place::default() },
            };
            let frames = named.get(&address).copied().filter(|_| !self.unnamed.contains(&stack));
            for frame in frames.unwrap_or(core::slice::from_ref(&unnamed)) {
                bytes += frame.name_bytes();
                if all.len() == FRAMES || bytes > NAME_BYTES {
                    all.truncate(FRAMES - 1);
                    all.push(cut());
                    return all;
                }
                all.push(frame.clone());
            }
        }
        all
    }
}

fn cut() -> Place {
    let function = format!("more frames: stacks are cut at {FRAMES}");
    Place { function: Some(function), ..Place::default() }
}

/// Stacks as arrays. Each array has the stack's number, followed by the stack's addresses.
mod rows {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};
    use std::collections::BTreeMap;

    pub(super) fn serialize<S: Serializer>(
        stacks: &BTreeMap<u32, Vec<u64>>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        let row = |(number, addresses): (&u32, &Vec<u64>)| {
            let mut row = vec![u64::from(*number)];
            row.extend(addresses);
            row
        };
        out.collect_seq(stacks.iter().map(row))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<BTreeMap<u32, Vec<u64>>, D::Error> {
        let rows = Vec::<Vec<u64>>::deserialize(from)?;
        let stack = |row: Vec<u64>| {
            let (number, addresses) = row.split_first()?;
            Some((u32::try_from(*number).ok()?, addresses.to_vec()))
        };
        let stacks: Option<_> = rows.into_iter().map(stack).collect();
        stacks.ok_or_else(|| {
            D::Error::custom(
                "expected each stack as its number, at most 4294967295, followed by its addresses",
            )
        })
    }
}

/// A module of the process: the program itself or a shared library.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Module {
    /// The path of the module's file when it was loaded.
    pub path: String,
    /// The identifier that the linker wrote into the file, in hexadecimal digits; `None` if it
    /// wrote none.
    pub build_id: Option<String>,
    /// The run-time address of the module's address 0.
    pub load_bias: u64,
    /// The start and the end of each of the module's segments in memory.
    pub ranges: Vec<[u64; 2]>,
    /// The offset in the module's file at which each segment of [`ranges`](Self::ranges) begins, in
    /// the same order. Empty if they are unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub file_offsets: Vec<u64>,
    /// `true` if all addresses of the module were looked up in its debug information, so that
    /// another search finds no more names.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub looked_up: bool,
}

impl Module {
    /// Returns a module that is loaded at these addresses, without the offsets of its segments in
    /// the file.
    pub fn new(
        path: impl Into<String>,
        build_id: Option<String>,
        load_bias: u64,
        ranges: Vec<[u64; 2]>,
    ) -> Self {
        let (file_offsets, looked_up) = (Vec::new(), false);
        Self { path: path.into(), build_id, load_bias, ranges, file_offsets, looked_up }
    }

    /// Sets the offset in the file of each segment.
    #[must_use]
    pub fn with_file_offsets(mut self, file_offsets: Vec<u64>) -> Self {
        self.file_offsets = file_offsets;
        self
    }

    /// Returns `true` if an address is in one of the module's segments.
    pub fn contains(&self, address: u64) -> bool {
        self.ranges.iter().any(|[start, end]| (*start..*end).contains(&address))
    }
}

#[cfg(test)]
mod live_stacks_tests {
    use super::{FRAMES, LiveStacks, NAME_BYTES, StackTable, cut};
    use crate::document::{Module, Place};

    #[test]
    fn rows_and_stacks_are_arrays_in_files() {
        let text = r#"{"at_ns":5,"trigger":"peak","live_bytes":96,"root_names":["cache"],"rows":[[7,null,0,64.0,2.5,3.0,0.5,3],[0,2,null,32.0,0.0,1.0,0.0,1]]}"#;
        let stacks: LiveStacks = serde_json::from_str(text).expect("it is complete");
        assert_eq!((stacks.rows[0].stack, stacks.rows[0].root), (7, Some(0)));
        assert_eq!((stacks.rows[1].path, stacks.rows[1].live.samples), (Some(2), 1));
        assert_eq!(serde_json::to_string(&stacks).expect("it has no maps"), text);

        let text = r#"{"addresses":[[3,99,98],[7,99]]}"#;
        let mut table: StackTable = serde_json::from_str(text).expect("it is complete");
        assert_eq!(serde_json::to_string(&table).expect("it has no maps"), text);
        table.extend(serde_json::from_str(r#"{"addresses":[[7,99],[8,1]]}"#).expect("as above"));
        assert_eq!(table.addresses.keys().copied().collect::<Vec<_>>(), [3, 7, 8]);
        for wrong in [r#"{"addresses":[[]]}"#, r#"{"addresses":[[4294967296,1]]}"#] {
            assert!(serde_json::from_str::<StackTable>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn stacks_with_too_many_frames_are_cut_and_marked() {
        let frame = Place { address: Some(9), ..Place::default() };
        let frames = vec![frame; 1000];
        let addresses = [(1, vec![9; 1000]), (2, vec![7; FRAMES]), (3, vec![7; FRAMES + 1])];
        let table = StackTable { addresses: addresses.into(), frames, ..StackTable::default() };
        let named = table.named();
        let of = |stack| table.frames_of(stack, &named);
        for stack in [1, 3] {
            assert_eq!((of(stack).len(), of(stack).last()), (FRAMES, Some(&cut())), "{stack}");
        }
        assert_eq!((of(2).len(), of(2).contains(&cut())), (FRAMES, false));
    }

    #[test]
    fn a_long_name_is_copied_into_few_frames() {
        let function = Some("f".repeat(NAME_BYTES / 3));
        let frames = vec![Place { function, address: Some(9), ..Place::default() }];
        let addresses = [(1, vec![9; 3]), (2, vec![9; 1000])];
        let table = StackTable { addresses: addresses.into(), frames, ..StackTable::default() };
        let named = table.named();
        let of = |stack| table.frames_of(stack, &named);
        assert_eq!((of(1).len(), of(1).contains(&cut())), (3, false));
        assert_eq!((of(2).len(), of(2).last()), (4, Some(&cut())));
    }

    #[test]
    fn modules_of_several_parts_are_there_once() {
        let module = |number: u64| {
            Module::new("lib.so", Some("ab".to_owned()), number, vec![[number, number + 1]])
        };
        let part = |modules| StackTable { modules, ..StackTable::default() };
        let mut table = part(vec![module(2), module(1)]);
        table.extend(part(vec![module(1), module(3), module(3)]));
        table.remove_repeated_modules();
        assert_eq!(table.modules, [2, 1, 3].map(module));
    }
}

#[cfg(test)]
mod module_tests {
    use super::Module;

    #[test]
    fn offsets_are_left_out_of_the_file_if_they_are_unknown() {
        let without =
            r#"{"path":"lib.so","build_id":null,"load_bias":4096,"ranges":[[8192,9000]]}"#;
        let module: Module = serde_json::from_str(without).expect("it is complete");
        assert_eq!(module.file_offsets, [0_u64; 0]);
        assert_eq!(serde_json::to_string(&module).expect("it has no maps"), without);
        let with = without.replace("]]}", "]],\"file_offsets\":[1024]}");
        let module = module.with_file_offsets(vec![1024]);
        assert_eq!(serde_json::to_string(&module).expect("it has no maps"), with);
        assert_eq!(serde_json::from_str::<Module>(&with).expect("it is complete"), module);
    }
}
