//! Builds a pprof profile, with each text, function and location stored once.

use crate::formats::ExportError;
use memprof_profile::text::{Shown, allocation_hook_pattern};
use memprof_recording::document::Module;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    AllocObjects,
    AllocSpace,
    InuseObjects,
    InuseSpace,
}

impl Counted {
    /// Returns the name that Go uses, which tools recognise.
    const fn name(self) -> &'static str {
        match self {
            Self::AllocObjects => "alloc_objects",
            Self::AllocSpace => "alloc_space",
            Self::InuseObjects => "inuse_objects",
            Self::InuseSpace => "inuse_space",
        }
    }

    const fn unit(self) -> &'static str {
        match self {
            Self::AllocObjects | Self::InuseObjects => "count",
            Self::AllocSpace | Self::InuseSpace => "bytes",
        }
    }
}

pub(super) struct Frame<'f> {
    pub(super) function: Cow<'f, str>,
    pub(super) file: Option<&'f str>,
    pub(super) line: Option<u32>,
    /// The return address of a frame without a name.
    pub(super) return_address: Option<u64>,
}

impl<'f> Frame<'f> {
    pub(super) fn named(function: &'f str) -> Self {
        Self { function: function.into(), file: None, line: None, return_address: None }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct LocationId(u64);

pub(super) struct Building<'r> {
    profile: Profile,
    counted: Vec<Counted>,
    texts: HashMap<String, i64>,
    functions: HashMap<(i64, i64), u64>,
    locations: HashMap<(u64, i64), LocationId>,
    program: &'r str,
    segments: Segments<'r>,
    mappings: HashMap<u64, u64>,
    unnamed: HashMap<u64, LocationId>,
    /// A regular expression for frames that tools should hide.
    dropped: Option<String>,
    totals: Vec<u128>,
}

/// The number of the mapping of all frames with a name.
const NAMED: u64 = 1;

impl<'r> Building<'r> {
    pub(super) fn new(program: &'r str, counted: &[Counted]) -> Self {
        let mut building = Self {
            profile: Profile::default(),
            counted: counted.to_vec(),
            texts: HashMap::new(),
            functions: HashMap::new(),
            locations: HashMap::new(),
            program,
            segments: Segments::default(),
            mappings: HashMap::new(),
            unnamed: HashMap::new(),
            dropped: None,
            totals: vec![0; counted.len()],
        };
        building.text("");
        for counted in counted {
            let sample_type = ValueType {
                r#type: building.text(counted.name()),
                unit: building.text(counted.unit()),
            };
            building.profile.sample_type.push(sample_type);
            building.profile.default_sample_type = sample_type.r#type;
        }
        let period_type =
            ValueType { r#type: building.text("space"), unit: building.text("bytes") };
        building.profile.period_type = Some(period_type);
        building.profile.period = 1;
        let filename = building.text(&Shown(program).to_string());
        let mapping = Mapping { id: NAMED, filename, has_functions: true, ..Mapping::default() };
        building.profile.mapping.push(mapping);
        building
    }

    pub(super) fn set_modules(&mut self, modules: &'r [Module]) {
        self.segments = Segments::of(modules);
    }

    fn text(&mut self, text: &str) -> i64 {
        if let Some(&number) = self.texts.get(text) {
            return number;
        }
        let table = &mut self.profile.string_table;
        let number = table.len().cast_signed() as i64;
        table.push(text.to_owned());
        self.texts.insert(text.to_owned(), number);
        number
    }

    /// Returns the location of a frame. Equal frames have one location in all stacks.
    pub(super) fn location(&mut self, frame: &Frame<'_>) -> LocationId {
        // The call is before its return address, which may be the first address of another function.
        let call = frame.return_address.and_then(|address| address.checked_sub(1));
        match call.and_then(|call| Some((call, self.segments.containing(call)?))) {
            Some((call, segment)) => self.location_of_address(call, segment),
            None => self.location_of_name(frame),
        }
    }

    /// Readers find the call in the module's file by the mapping.
    fn location_of_address(&mut self, address: u64, segment: Segment<'_>) -> LocationId {
        if let Some(&location) = self.unnamed.get(&address) {
            return location;
        }
        let mapping_id = self.mapping(segment);
        let locations = &mut self.profile.location;
        let id = locations.len() as u64 + 1;
        locations.push(Location { id, mapping_id, address, line: Vec::new() });
        self.unnamed.insert(address, LocationId(id));
        LocationId(id)
    }

    fn mapping(&mut self, segment: Segment<'_>) -> u64 {
        if let Some(&id) = self.mappings.get(&segment.start) {
            return id;
        }
        let id = self.profile.mapping.len() as u64 + 1;
        let mapping = Mapping {
            id,
            memory_start: segment.start,
            memory_limit: segment.limit,
            file_offset: segment.file_offset,
            filename: self.text(&Shown(&segment.module.path).to_string()),
            build_id: self.text(segment.build_id()),
            has_functions: false,
        };
        // Readers take the first mapping for the program: `go tool pprof PROGRAM FILE` replaces the
        // file of that mapping.
        let is_first_of_program =
            segment.is_of(self.program) && self.profile.mapping[0].id == NAMED;
        let at = if is_first_of_program { 0 } else { self.profile.mapping.len() };
        self.profile.mapping.insert(at, mapping);
        self.mappings.insert(segment.start, id);
        id
    }

    fn location_of_name(&mut self, frame: &Frame<'_>) -> LocationId {
        // Names are escaped because tools print them to terminals.
        let name = self.text(&Shown(&frame.function).to_string());
        let filename = frame.file.map_or(0, |file| self.text(&Shown(file).to_string()));
        let line = frame.line.map_or(0, i64::from);
        let functions = &mut self.profile.function;
        let function_id = *self.functions.entry((name, filename)).or_insert_with(|| {
            let id = functions.len() as u64 + 1;
            functions.push(Function { id, name, filename });
            id
        });
        let locations = &mut self.profile.location;
        *self.locations.entry((function_id, line)).or_insert_with(|| {
            let id = locations.len() as u64 + 1;
            let line = vec![Line { function_id, line }];
            locations.push(Location { id, mapping_id: NAMED, address: 0, line });
            LocationId(id)
        })
    }

    /// Adds a stack, innermost frame first, with one value for each counted quantity. Leaves out a
    /// sample whose values are all 0, and frames of only such samples.
    pub(super) fn sample<'f>(
        &mut self,
        stack: impl IntoIterator<Item = Frame<'f>>,
        values: &[u64],
    ) {
        if values.iter().any(|value| *value > 0) {
            let stack: Vec<_> = stack.into_iter().map(|frame| self.location(&frame)).collect();
            self.sample_at(stack, values, &[]);
        }
    }

    pub(super) fn sample_at(
        &mut self,
        stack: impl IntoIterator<Item = LocationId>,
        values: &[u64],
        labels: &[(&str, &str)],
    ) {
        debug_assert_eq!(values.len(), self.counted.len(), "a value for each");
        if values.iter().all(|value| *value == 0) {
            return;
        }
        let label = labels
            .iter()
            .map(|(key, value)| Label {
                key: self.text(key),
                str: self.text(&Shown(value).to_string()),
            })
            .collect();
        for (total, value) in self.totals.iter_mut().zip(values) {
            *total += u128::from(*value);
        }
        self.profile.sample.push(Sample {
            location_id: stack.into_iter().map(|location| location.0).collect(),
            // `finish` returns an error if the total does not fit.
            value: values.iter().map(|value| i64::try_from(*value).unwrap_or(i64::MAX)).collect(),
            label,
        });
    }

    pub(super) fn comment(&mut self, comment: &str) {
        let comment = self.text(&Shown(comment).to_string());
        self.profile.comment.push(comment);
    }

    /// Sets the time of the profile, or the start and duration of its recording; 0 if unknown.
    pub(super) fn time(&mut self, unix_ns: u64, duration_ns: u64) {
        self.profile.time_nanos = i64::try_from(unix_ns).unwrap_or(0);
        self.profile.duration_nanos = i64::try_from(duration_ns).unwrap_or(0);
    }

    /// Makes tools leave these frames and their callees out of tables. The file still has them.
    pub(super) fn drop_frames(&mut self, regular_expression: String) {
        self.dropped = Some(regular_expression);
    }

    /// Returns the profile, or an error if a sum exceeds pprof's numbers.
    pub(super) fn finish(mut self) -> Result<Profile, ExportError> {
        // Only stacks without names begin with the frames of memprof's hook.
        let hook = (!self.unnamed.is_empty()).then(allocation_hook_pattern);
        let dropped: Vec<String> = self.dropped.take().into_iter().chain(hook).collect();
        if !dropped.is_empty() {
            self.profile.drop_frames = self.text(&dropped.join("|"));
        }
        let limit = i64::MAX.cast_unsigned();
        let mut totals = self.totals.iter().zip(&self.counted);
        match totals.find(|(total, _)| **total > u128::from(limit)) {
            Some((&total, counted)) => {
                let action = "export a part with `--root`, or export folded stacks";
                Err(ExportError::too_much(counted.name(), total, limit, action))
            }
            None => Ok(self.profile),
        }
    }
}

/// The segments of all modules by the address at which they begin.
#[derive(Default)]
struct Segments<'m>(BTreeMap<u64, Segment<'m>>);

#[derive(Clone, Copy)]
struct Segment<'m> {
    start: u64,
    limit: u64,
    file_offset: u64,
    module: &'m Module,
}

impl<'m> Segments<'m> {
    fn of(modules: &'m [Module]) -> Self {
        let mut segments = BTreeMap::new();
        for module in modules {
            for (&[start, limit], &file_offset) in module.ranges.iter().zip(&module.file_offsets) {
                segments.entry(start).or_insert(Segment { start, limit, file_offset, module });
            }
        }
        Self(segments)
    }

    fn containing(&self, address: u64) -> Option<Segment<'m>> {
        let (_, segment) = self.0.range(..=address).next_back()?;
        (address < segment.limit).then_some(*segment)
    }
}

impl Segment<'_> {
    /// Returns the build id in hexadecimal digits, or an empty text if the module has no valid one.
    /// `go tool pprof` accesses the first two digits and panics if they are missing.
    fn build_id(&self) -> &str {
        let build_id = self.module.build_id.as_deref().unwrap_or_default();
        let is_valid = build_id.len() > 2 && build_id.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_valid { build_id } else { "" }
    }

    fn is_of(&self, program: &str) -> bool {
        // The system adds this to the name of a file that was replaced while the program ran.
        let program = program.strip_suffix(" (deleted)").unwrap_or(program);
        Path::new(&self.module.path).file_name().is_some_and(|name| name == program)
    }
}

// The subset of pprof's messages that memprof writes. Field numbers are from `profile.proto` in
// google/pprof.

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Profile {
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
    /// The first text is empty. All other fields refer to texts by their index in this list.
    #[prost(string, repeated, tag = "6")]
    string_table: Vec<String>,
    /// A regular expression. Readers drop the frames whose functions match it, and their callees.
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

#[derive(Clone, Copy, PartialEq, prost::Message)]
struct ValueType {
    #[prost(int64, tag = "1")]
    r#type: i64,
    #[prost(int64, tag = "2")]
    unit: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Sample {
    /// The innermost frame comes first.
    #[prost(uint64, repeated, tag = "1")]
    location_id: Vec<u64>,
    #[prost(int64, repeated, tag = "2")]
    value: Vec<i64>,
    #[prost(message, repeated, tag = "3")]
    label: Vec<Label>,
}

#[derive(Clone, Copy, PartialEq, prost::Message)]
struct Label {
    #[prost(int64, tag = "1")]
    key: i64,
    #[prost(int64, tag = "2")]
    str: i64,
}

/// A segment of a module. The frames with a name share one mapping without addresses.
#[derive(Clone, Copy, PartialEq, prost::Message)]
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
    /// `true` for the mapping of the frames with a name, so that readers don't look for symbols.
    #[prost(bool, tag = "7")]
    has_functions: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Location {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(uint64, tag = "2")]
    mapping_id: u64,
    #[prost(uint64, tag = "3")]
    address: u64,
    /// Empty if the frame has no name.
    #[prost(message, repeated, tag = "4")]
    line: Vec<Line>,
}

#[derive(Clone, Copy, PartialEq, prost::Message)]
struct Line {
    #[prost(uint64, tag = "1")]
    function_id: u64,
    #[prost(int64, tag = "2")]
    line: i64,
}

/// There is no `system_name` (number 3). If it equalled the name, `go tool pprof` would take the
/// name for a mangled C++ name and remove the parts in `<>`.
#[derive(Clone, Copy, PartialEq, prost::Message)]
struct Function {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(int64, tag = "2")]
    name: i64,
    #[prost(int64, tag = "4")]
    filename: i64,
}
