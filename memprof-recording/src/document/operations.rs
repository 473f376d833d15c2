//! Named pieces of work: each path of operations, and individual calls.

use super::Estimate;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A path of operations; events refer to it by its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationPath {
    /// The number of the path.
    pub path: u32,
    /// The names, outermost first.
    pub names: Vec<String>,
    /// The number of the path around this one; `None` for an outermost operation.
    pub parent: Option<u32>,
    /// The file in which the operation is named.
    pub file: String,
    /// The line in that file.
    pub line: u32,
}

/// Defines a type that is an array of its fields in files, and the names of the array's entries.
macro_rules! array_in_files {
    (
        $(#[$of_type:meta])*
        pub struct $name:ident {
            $($(#[$of_field:meta])* pub $field:ident: $type:ty,)+
        }
    ) => {
        $(#[$of_type])*
        pub struct $name {
            $($(#[$of_field])* pub $field: $type,)+
        }

        impl $name {
            /// The names of the entries of the array.
            pub const COLUMNS: &[&str] = &[$(stringify!($field)),+];
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                ($(self.$field,)+).serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let ($($field,)+) = <($($type,)+)>::deserialize(deserializer)?;
                Ok(Self { $($field),+ })
            }
        }
    };
}

array_in_files! {
    /// An individual call of an operation. In files, a call is an array with these fields in this
    /// order.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct OperationEvent {
        /// The number of the operation's [path](OperationPath).
        pub path: u32,
        /// The thread on which the call ended. Threads are numbered from 1, in the order in
        /// which the allocator first counted for them.
        pub thread: u32,
        /// The start of the call, in nanoseconds since the session began.
        pub start_ns: u64,
        /// The end of the call, in nanoseconds since the session began.
        pub end_ns: u64,
        /// Bytes that the operation's threads allocated during the call, less bytes that they freed.
        pub net_bytes: i64,
        /// Bytes live in the process when the call began, less the bytes live when counting began.
        pub before_bytes: i64,
        /// Bytes live in the process when the call ended, less the bytes live when counting began.
        pub after_bytes: i64,
        /// Bytes of tensors created less bytes of tensors dropped; `None` if no framework reports
        /// tensors.
        pub tensor_net_bytes: Option<i64>,
    }
}

/// The name of a thread on which calls ended ([`OperationEvent`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadName {
    /// The number of the thread.
    pub thread: u32,
    /// The name that the operating system has for the thread. Linux cuts names to 15 bytes. The
    /// main thread is called `main`. The text is empty if the thread has no name.
    pub name: String,
}

/// Calls that ended but are not among the events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedEvents {
    /// Calls for which the buffer in memory was full when they ended.
    pub not_recorded: u64,
    /// Calls that ended after the file had its maximum of events.
    pub over_cap: u64,
}

/// The counts of all calls of one path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OperationRow {
    /// The names, outermost first.
    pub path: Vec<String>,
    /// The file in which the operation is named.
    pub file: String,
    /// The line in that file.
    pub line: u32,
    /// Calls that ended.
    pub calls: u64,
    /// Bytes allocated.
    pub allocated_bytes: u64,
    /// Blocks allocated.
    pub allocated_blocks: u64,
    /// Bytes freed.
    pub freed_bytes: u64,
    /// Blocks freed.
    pub freed_blocks: u64,
    /// Bytes that the operation allocated itself, without inner operations.
    pub own_allocated_bytes: u64,
    /// Bytes allocated less bytes freed by all calls.
    pub net_bytes: i64,
    /// Bytes allocated less bytes freed by one call on average; `None` if no call has ended.
    pub average_net_bytes: Option<f64>,
    /// The largest change of live bytes by one call.
    pub max_net_bytes: Option<i64>,
    /// The maximum of live bytes during one call, less the bytes live when the call began.
    pub peak_bytes: u64,
    /// Bytes live in the process before the call with the largest change, less the bytes live when
    /// counting began.
    pub before_bytes: Option<i64>,
    /// Bytes live in the process after that call, less the bytes live when counting began.
    pub after_bytes: Option<i64>,
    /// The time that calls took, if they were timed.
    pub wall_time: Option<WallTime>,
    /// Live bytes that the operation allocated itself, if samples are taken.
    pub retained: Option<Estimate>,
    /// Live blocks that the operation allocated itself, if samples are taken.
    pub retained_blocks: Option<Estimate>,
}

/// The time that calls took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WallTime {
    /// Calls that were timed.
    pub calls: u64,
    /// The sum of the times of all calls.
    pub total_ns: u64,
    /// The time of the longest call.
    pub longest_ns: u64,
}
