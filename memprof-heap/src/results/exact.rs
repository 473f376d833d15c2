//! The comparison of a value's profile with what the allocator handed out for it.

mod message;

use crate::control::not_installed::NotInstalled;
use crate::results::measure::Measured;
use crate::results::measure::measure;
use memprof_profile::{MemoryProfile, Profile};
use std::any::type_name;

/// Panics unless the profile of what an expression makes has exactly the bytes that the allocator
/// handed out for it.
///
/// The value is made by the expression, under measurement, so what it needs has to be made there:
/// write `assert_exact!(build())`, or `assert_exact!(value.clone())` for a value that is there
/// already. Its profile must have `size_of_val(&value)` bytes and those that the expression
/// allocated and did not free. This is the test of a [`MemoryProfile`] written by hand:
///
/// ```
/// use memprof_profile::{At, MemoryProfile, Walk};
///
/// #[global_allocator]
/// static ALLOC: memprof_heap::Allocator = memprof_heap::Allocator::system();
///
/// struct Grid {
///     cells: Vec<f64>,
///     titles: Vec<String>,
/// }
///
/// impl MemoryProfile for Grid {
///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
///         self.cells.owned(walk, at);
///         self.titles.owned(walk, at); // without this line the test would fail by 53 bytes
///     }
/// }
///
/// # fn main() {
/// memprof_heap::assert_exact!(Grid {
///     cells: vec![0.0; 1000],
///     titles: vec!["width".to_owned(), String::new()],
/// });
/// # }
/// ```
///
/// # Panics
/// If the two sides differ, if the [profile is not exact](Profile::is_exact), if the expression
/// gives a reference (which owns nothing), or if no [`Allocator`](crate::Allocator) counts. The
/// message has both sides, the tree and what usually is the reason, within a screen.
/// [`check_exact`] returns it as an error.
///
/// # Limits
/// The allocator's side is what *this thread* allocated less what it freed *while the expression
/// ran*. So these make a right profile look wrong:
/// - Memory made on another thread is in the profile and not in the counts.
/// - So is memory made before the expression: what it moves into the value, and what the value
///   shares with others, like the target of an `Arc` that the expression clones.
/// - Memory that the expression frees but did not allocate is missing from the counts.
/// - What the expression leaves elsewhere (a cache, a thread-local value, anything made on first
///   use) is in the counts and not in the profile. Call such code once before.
#[macro_export]
macro_rules! assert_exact {
    ($make:expr $(,)?) => {
        $crate::__private::assert_exact(::core::stringify!($make), || $make)
    };
}

/// What the profile and the allocator say of one value.
#[derive(Clone, Debug)]
pub struct Balance {
    type_name: &'static str,
    value_bytes: u64,
    measured: Measured,
    profile: Profile,
}

impl Balance {
    /// The profile's side.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// What was counted while the value was made.
    pub fn measured(&self) -> Measured {
        self.measured
    }

    /// The allocator's side: the value's own bytes, and those allocated for it and not freed.
    /// Negative if more than that was freed of memory made before.
    pub fn allocator_bytes(&self) -> i64 {
        self.value_bytes.cast_signed().saturating_add(self.measured.net_bytes())
    }

    /// The profile's bytes less the allocator's.
    pub fn difference(&self) -> i64 {
        let profile = i64::try_from(self.profile.total_bytes()).unwrap_or(i64::MAX);
        profile.saturating_sub(self.allocator_bytes())
    }
}

/// Why a value was not shown to be exact; what `assert_exact!` prints, and `unwrap` too.
#[non_exhaustive]
pub enum ExactError {
    /// Nothing counts allocations.
    NotInstalled(NotInstalled),
    /// The value is a reference of this type, which owns nothing.
    Reference(&'static str),
    /// The profile itself says that it doesn't know every byte.
    NotExact(Box<Balance>),
    /// The profile and the allocator say different numbers.
    Unbalanced(Box<Balance>),
}

/// Makes a value and compares its profile with the allocator: [`assert_exact!`] without the panic.
///
/// # Errors
/// As [`assert_exact!`] panics.
///
/// # Cost
/// That of making, profiling and dropping the value, and of [`measure`].
pub fn check_exact<T: MemoryProfile>(make: impl FnOnce() -> T) -> Result<Balance, ExactError> {
    let type_name = type_name::<T>();
    if type_name.starts_with('&') {
        return Err(ExactError::Reference(type_name));
    }
    let (value, measured) = measure(make).map_err(ExactError::NotInstalled)?;
    // Only now, so that what the profile allocates for itself isn't counted.
    let profile = Profile::of(&value);
    let value_bytes = size_of_val(&value) as u64;
    balanced(Balance { type_name, value_bytes, measured, profile })
}

fn balanced(balance: Balance) -> Result<Balance, ExactError> {
    if !balance.profile.is_exact() {
        Err(ExactError::NotExact(Box::new(balance)))
    } else if balance.difference() != 0 {
        Err(ExactError::Unbalanced(Box::new(balance)))
    } else {
        Ok(balance)
    }
}
