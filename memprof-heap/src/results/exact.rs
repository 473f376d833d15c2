//! The comparison of a value's profile with the allocator's counts for it.

mod message;

use crate::control::not_installed::NotInstalled;
use crate::results::measure::Measurement;
use crate::results::measure::measure;
use memprof_profile::{MemoryProfile, Profile};
use std::any::type_name;

/// Panics unless the profile of an expression's value has exactly the bytes that were allocated for
/// it.
///
/// The expression creates the value under measurement, so everything that the value owns must be
/// created there. Write `assert_exact!(build())`, or `assert_exact!(value.clone())` for an existing
/// value. The profile must have `size_of_val(&value)` bytes and the bytes that the expression
/// allocated and did not free. Use this to test a [`MemoryProfile`] written by hand:
///
/// ```
/// use memprof::walk::{Position, Walk};
/// use memprof::MemoryProfile;
///
/// #[global_allocator]
/// static ALLOC: memprof::Allocator = memprof::Allocator::system();
///
/// struct Grid {
///     cells: Vec<f64>,
///     titles: Vec<String>,
/// }
///
/// impl MemoryProfile for Grid {
///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
///         self.cells.owned(walk, at);
///         self.titles.owned(walk, at); // without this line the test would fail by 53 bytes
///     }
/// }
///
/// # fn main() {
/// memprof::assert_exact!(Grid {
///     cells: vec![0.0; 1000],
///     titles: vec!["width".to_owned(), String::new()],
/// });
/// # }
/// ```
///
/// Panics if the two sides differ, or if the [profile is not exact](Profile::is_exact). Also panics
/// if the expression returns a reference, which owns nothing, or if [`Allocator`](crate::Allocator)
/// isn't the global allocator. The message has both sides, the tree and the usual reasons, and fits
/// on a screen. [`check_exact`] returns an error with this message.
///
/// # Limits
/// The allocator's side is what *this thread* allocated less what it freed *while the expression
/// ran*. In these cases, a correct profile looks wrong:
/// - Memory allocated on another thread is in the profile and not in the counts.
/// - Memory allocated before the expression is also in the profile and not in the counts, if it
///   becomes part of the value. This includes shared memory, like the target of an `Arc` that the
///   expression clones.
/// - Memory that the expression frees but did not allocate is subtracted from the counts.
/// - Memory that the expression keeps elsewhere is in the counts and not in the profile. Examples
///   are a cache, a thread-local value, or any value created on first use. Call such code once
///   before the check.
#[macro_export]
macro_rules! assert_exact {
    ($make:expr $(,)?) => {
        $crate::__private::assert_exact(::core::stringify!($make), || $make)
    };
}

/// The two sides of one value: its profile and the allocator's counts.
#[derive(Clone, Debug)]
pub struct Balance {
    type_name: &'static str,
    value_bytes: u64,
    measured: Measurement,
    profile: Profile,
}

impl Balance {
    /// Returns the profile's side.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Returns what the thread allocated and freed while the value was created.
    pub fn measured(&self) -> Measurement {
        self.measured
    }

    /// Returns the allocator's side: `size_of_val` of the value, and the bytes allocated for the
    /// value and not freed. The sum may be negative if the expression freed older memory.
    pub fn allocator_bytes(&self) -> i64 {
        self.value_bytes.cast_signed().saturating_add(self.measured.net_bytes())
    }

    /// Returns the profile's bytes less the allocator's.
    pub fn difference(&self) -> i64 {
        let profile = i64::try_from(self.profile.total_bytes()).unwrap_or(i64::MAX);
        profile.saturating_sub(self.allocator_bytes())
    }
}

/// The reason why a value was not shown to be exact. `assert_exact!` and `unwrap` print it.
#[non_exhaustive]
pub enum ExactError {
    /// Allocations are not counted.
    NotInstalled(NotInstalled),
    /// The value is a reference of this type, which owns nothing.
    Reference(&'static str),
    /// The [profile is not exact](Profile::is_exact), for example because some of its bytes are
    /// estimated.
    NotExact(Box<Balance>),
    /// The profile and the allocator have different numbers of bytes.
    Unbalanced(Box<Balance>),
}

/// Creates a value and compares its profile with the allocator's counts: [`assert_exact!`] without
/// the panic.
///
/// # Errors
/// Returns an error where [`assert_exact!`] panics.
///
/// # Cost
/// The call costs as much as creating, profiling and dropping the value, and [`measure`].
pub fn check_exact<T: MemoryProfile>(make: impl FnOnce() -> T) -> Result<Balance, ExactError> {
    let type_name = type_name::<T>();
    if type_name.starts_with('&') {
        return Err(ExactError::Reference(type_name));
    }
    let (value, measured) = measure(make).map_err(ExactError::NotInstalled)?;
    // Profile the value only now, so that the profile's own allocations aren't counted.
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
