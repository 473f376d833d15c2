//! A decoder of pprof files, by the field numbers of `profile.proto`.

use flate2::read::GzDecoder;
use memprof_export::Pprof;
use prost::Message;
use std::collections::BTreeMap;
use std::io::Read;

#[derive(Clone, PartialEq, Message)]
struct Profile {
    #[prost(message, repeated, tag = "1")]
    sample_type: Vec<ValueType>,
    #[prost(message, repeated, tag = "2")]
    sample: Vec<Sample>,
    #[prost(message, repeated, tag = "3")]
    mapping: Vec<Mapping>,
    #[prost(message, repeated, tag = "4")]
    location: Vec<Location>,
    #[prost(message, repeated, tag = "5")]
    function: Vec<Function>,
    #[prost(string, repeated, tag = "6")]
    string_table: Vec<String>,
    #[prost(int64, tag = "7")]
    drop_frames: i64,
    #[prost(int64, tag = "9")]
    time_nanos: i64,
    #[prost(int64, tag = "10")]
    duration_nanos: i64,
    #[prost(message, optional, tag = "11")]
    period_type: Option<ValueType>,
    #[prost(int64, tag = "12")]
    period: i64,
    #[prost(int64, repeated, tag = "13")]
    comment: Vec<i64>,
    #[prost(int64, tag = "14")]
    default_sample_type: i64,
}

#[derive(Clone, PartialEq, Message)]
struct ValueType {
    #[prost(int64, tag = "1")]
    kind: i64,
    #[prost(int64, tag = "2")]
    unit: i64,
}

#[derive(Clone, PartialEq, Message)]
struct Sample {
    #[prost(uint64, repeated, tag = "1")]
    location_id: Vec<u64>,
    #[prost(int64, repeated, tag = "2")]
    value: Vec<i64>,
    #[prost(message, repeated, tag = "3")]
    label: Vec<Label>,
}

#[derive(Clone, PartialEq, Message)]
struct Label {
    #[prost(int64, tag = "1")]
    key: i64,
    #[prost(int64, tag = "2")]
    text: i64,
    #[prost(int64, tag = "3")]
    number: i64,
}

#[derive(Clone, PartialEq, Message)]
struct Mapping {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(uint64, tag = "2")]
    memory_start: u64,
    #[prost(uint64, tag = "3")]
    memory_limit: u64,
    #[prost(uint64, tag = "4")]
    file_offset: u64,
    #[prost(int64, tag = "5")]
    filename: i64,
    #[prost(int64, tag = "6")]
    build_id: i64,
    #[prost(bool, tag = "7")]
    has_functions: bool,
}

#[derive(Clone, PartialEq, Message)]
struct Location {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(uint64, tag = "2")]
    mapping_id: u64,
    #[prost(uint64, tag = "3")]
    address: u64,
    #[prost(message, repeated, tag = "4")]
    line: Vec<Line>,
}

#[derive(Clone, PartialEq, Message)]
struct Line {
    #[prost(uint64, tag = "1")]
    function_id: u64,
    #[prost(int64, tag = "2")]
    line: i64,
}

#[derive(Clone, PartialEq, Message)]
struct Function {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(int64, tag = "2")]
    name: i64,
    #[prost(int64, tag = "3")]
    system_name: i64,
    #[prost(int64, tag = "4")]
    filename: i64,
}

/// A profile with its texts inserted.
#[derive(Debug)]
pub(crate) struct Decoded {
    /// The counted quantities with their units.
    pub(crate) types: Vec<String>,
    pub(crate) default_type: String,
    pub(crate) program: String,
    pub(crate) comments: Vec<String>,
    pub(crate) drop_frames: String,
    pub(crate) time_nanos: i64,
    pub(crate) duration_nanos: i64,
    /// Stacks with the outermost frame first, and their values and labels.
    pub(crate) samples: Vec<(Vec<String>, Vec<i64>, Vec<String>)>,
    /// All texts that are used as names.
    pub(crate) names: Vec<String>,
    /// The mappings of segments: the file, the build id, the addresses and the offset in the file.
    pub(crate) segments: Vec<(String, String, core::ops::Range<u64>, u64)>,
    /// The file of the first mapping, which tools take for the program.
    pub(crate) first_file: String,
}

impl Decoded {
    /// Decodes a profile and checks the rules for all profiles.
    pub(crate) fn of(pprof: &Pprof) -> Self {
        let mut written = Vec::new();
        pprof.write(&mut written).expect("memory takes it");
        let mut bytes = Vec::new();
        GzDecoder::new(&written[..]).read_to_end(&mut bytes).expect("it is gzip");
        let profile = Profile::decode(&bytes[..]).expect("it is protobuf");
        assert_eq!(profile.encode_to_vec(), bytes, "there are no other fields");
        Self::named(&profile)
    }

    fn named(profile: &Profile) -> Self {
        assert_eq!(profile.string_table[0], "", "the first text is empty");
        let text = |number: i64| profile.string_table[usize::try_from(number).unwrap()].clone();
        let typed = |of: &ValueType| format!("{}/{}", text(of.kind), text(of.unit));
        assert_eq!(profile.period_type.as_ref().map(typed).as_deref(), Some("space/bytes"));
        assert_eq!(profile.period, 1);
        assert!(profile.function.iter().all(|function| function.system_name == 0));
        let mapping = |id: u64| {
            let mut mappings = profile.mapping.iter().filter(|mapping| mapping.id == id);
            let mapping = mappings.next().expect("each location has a mapping");
            assert!(mappings.next().is_none(), "two mappings have the number {id}");
            mapping
        };
        let named = mapping(1);
        assert!(named.has_functions && named.memory_limit == 0 && named.build_id == 0);
        let ids = profile.location.iter().map(|location| location.id);
        assert!(ids.eq(1..=profile.location.len() as u64), "locations are numbered from 1");
        let frame = |id: &u64| {
            let location = &profile.location[*id as usize - 1];
            let mapping = mapping(location.mapping_id);
            if mapping.id != 1 {
                let addresses = mapping.memory_start..mapping.memory_limit;
                assert!(addresses.contains(&location.address) && !mapping.has_functions);
                assert!(location.line.is_empty());
                // A frame without a name is at this position of the module's file.
                let at = location.address - mapping.memory_start + mapping.file_offset;
                return format!("{}+{at:#x}", text(mapping.filename));
            }
            assert_eq!(location.address, 0);
            let [line] = &location.line[..] else { panic!("one line") };
            let function = &profile.function[line.function_id as usize - 1];
            assert_eq!(function.id, line.function_id);
            match (text(function.filename).as_str(), line.line) {
                ("", 0) => text(function.name),
                (file, line) => format!("{} {file}:{line}", text(function.name)),
            }
        };
        let sample = |sample: &Sample| {
            assert_eq!(sample.value.len(), profile.sample_type.len(), "a value for each type");
            let stack = sample.location_id.iter().rev().map(frame).collect();
            let label = |label: &Label| format!("{}={}", text(label.key), text(label.text));
            (stack, sample.value.clone(), sample.label.iter().map(label).collect())
        };
        let segment = |mapping: &Mapping| {
            let addresses = mapping.memory_start..mapping.memory_limit;
            (text(mapping.filename), text(mapping.build_id), addresses, mapping.file_offset)
        };
        Self {
            types: profile.sample_type.iter().map(typed).collect(),
            default_type: text(profile.default_sample_type),
            program: text(named.filename),
            comments: profile.comment.iter().map(|comment| text(*comment)).collect(),
            drop_frames: text(profile.drop_frames),
            time_nanos: profile.time_nanos,
            duration_nanos: profile.duration_nanos,
            samples: profile.sample.iter().map(sample).collect(),
            names: profile.function.iter().map(|function| text(function.name)).collect(),
            segments: profile
                .mapping
                .iter()
                .filter(|mapping| mapping.id != 1)
                .map(segment)
                .collect(),
            first_file: text(profile.mapping[0].filename),
        }
    }

    /// Returns the sum of the values of this type.
    pub(crate) fn total(&self, kind: &str) -> i64 {
        let at = self.column(kind);
        self.samples.iter().map(|(_, values, _)| values[at]).sum()
    }

    /// Returns the sums of the values of this type by stack, without zeros.
    pub(crate) fn by_stack(&self, kind: &str) -> BTreeMap<String, i64> {
        let at = self.column(kind);
        let mut sums = BTreeMap::new();
        for (stack, values, _) in self.samples.iter().filter(|sample| sample.1[at] != 0) {
            *sums.entry(stack.join(";")).or_default() += values[at];
        }
        sums
    }

    fn column(&self, kind: &str) -> usize {
        let is_it = |of: &String| of.split('/').next() == Some(kind);
        self.types.iter().position(is_it).unwrap_or_else(|| panic!("{kind}: {:?}", self.types))
    }

    /// Returns one line for each sample.
    pub(crate) fn lines(&self) -> String {
        let line = |(stack, values, labels): &(Vec<String>, Vec<i64>, Vec<String>)| {
            let line = format!("{values:?} {} {}", stack.join(";"), labels.join(" "));
            line.trim_end().to_owned() + "\n"
        };
        self.samples.iter().map(line).collect()
    }
}
