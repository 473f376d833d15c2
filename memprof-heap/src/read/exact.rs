//! The comparison of a value's profile with the allocator's counts for it, for `assert_exact!` and for
//! std's collections. The message of a failure fits on a screen of 24 lines and 100 columns.

use crate::read::counts::{Measurement, NotInstalled, measure};
use core::fmt;
use memprof_profile::text::{columns, cut};
use memprof_profile::views::Units;
use memprof_profile::{MemoryProfile, Profile, text};
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
/// isn't the global allocator. The message shows both sides, the tree and the common causes, and
/// fits on a screen. [`check_exact`] returns an error with this message.
///
/// # Limits
/// The allocator's side is what *this thread* allocated minus what it freed *while the expression
/// ran*. In these cases, a correct profile looks wrong:
/// - Memory allocated on another thread is in the profile but not in the counts.
/// - Memory allocated before the expression runs is also in the profile but not in the counts, if
///   it becomes part of the value. This includes shared memory, like the target of an `Arc` that
///   the expression clones.
/// - Memory that the expression frees but did not allocate is subtracted from the counts.
/// - Memory that the expression keeps elsewhere is in the counts but not in the profile. Examples
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

    /// Returns the profile's bytes minus the allocator's.
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

/// The maximum number of lines of the tree. The rest of the message fills the screen.
const TREE_LINES: usize = 10;

const TREE_WIDTH: usize = 80;

const LONGEST: usize = 80;

impl fmt::Display for ExactError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInstalled(error) => error.fmt(out),
            Self::Reference(type_name) => write!(
                out,
                "`{}` is a reference and owns nothing; \
                 pass the value itself, for example `value.clone()`",
                shortened(type_name)
            ),
            Self::NotExact(balance) => {
                writeln!(out, "the profile is not exact; its last line states the reason")?;
                balance.sides(out)?;
                write!(out, "\n{}", short_tree(&balance.profile))
            }
            Self::Unbalanced(balance) => {
                writeln!(out, "the profile and the allocator disagree")?;
                balance.sides(out)?;
                write!(out, "\n{}\n\n", short_tree(&balance.profile))?;
                balance.causes(out)
            }
        }
    }
}

error_shown_by_unwrap!(ExactError);

impl Balance {
    fn sides(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let profile = bytes(self.profile.total_bytes());
        let allocator = signed(self.allocator_bytes());
        let difference = signed(self.difference());
        let width = columns(&profile).max(columns(&allocator)).max(columns(&difference));
        let measured = self.measured;
        let own = bytes(self.value_bytes);
        let allocated = bytes(measured.allocated_bytes);
        let freed = bytes(measured.freed_bytes);
        let (new, gone) = (measured.allocated_blocks, measured.freed_blocks);
        writeln!(out, "type        {}", shortened(self.type_name))?;
        writeln!(out, "profile     {profile:>width$}")?;
        writeln!(
            out,
            "allocator   {allocator:>width$} = {own} of the value itself \
             + {allocated} allocated ({new}) - {freed} freed ({gone})"
        )?;
        writeln!(out, "difference  {difference:>width$}")
    }

    fn causes(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let difference = bytes(self.difference().unsigned_abs());
        if self.difference() < 0 {
            return write!(
                out,
                "{difference} are not in the profile. Common causes:\n\
                 - a hand-written impl leaves out a field, or uses a length instead of a capacity\n\
                 - the expression also allocates for something else: a cache, a static, a first use"
            );
        }
        write!(out, "{difference} were not allocated by the expression. Common causes:")?;
        match self.profile.shared().externally_held_bytes {
            0 => {}
            held => {
                let held = bytes(held);
                write!(out, "\n- shared memory was allocated earlier: {held} are externally held")?;
            }
        }
        if self.measured.freed_bytes > 0 {
            write!(out, "\n- the expression freed memory allocated earlier")?;
        }
        out.write_str(match self.measured.allocated_blocks {
            0 => "\n- the value existed before: pass `value.clone()` instead",
            _ => "\n- the value contains memory allocated earlier, or on another thread",
        })?;
        out.write_str("\n- a hand-written impl counts something twice, or uses a wrong capacity")
    }
}

/// Draws as much of the tree as fits, and prefers depth to width.
fn short_tree(profile: &Profile) -> String {
    let drawn = |depth| profile.tree().width(TREE_WIDTH).units(Units::Bytes).widest(5).depth(depth);
    let fits = |text: &String| text.lines().count() <= TREE_LINES;
    let trees = (1..=8).rev().map(|depth| drawn(depth).to_string());
    trees.into_iter().find(fits).unwrap_or_else(|| drawn(0).to_string())
}

fn shortened(text: &str) -> String {
    cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), LONGEST)
}

fn bytes(bytes: u64) -> String {
    Units::Bytes.show(bytes).to_string()
}

fn signed(amount: i64) -> String {
    text::signed(amount.into(), Units::Bytes)
}

/// Compares profiles of std's collections with the bytes that they requested from the allocator.
///
/// Profiles detect the layouts of std inside the process, and mark collections with unknown layouts
/// as estimated. This function goes further: it creates collections of several entries under
/// measurement. From then on, a collection whose profiles agree with the counts is exact, and one
/// whose profiles differ is an estimate. A test that calls this function certifies a new compiler.
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// # fn main() -> Result<(), memprof::heap::exact::LayoutError> {
/// memprof::heap::exact::check_layouts()?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Returns an error if a collection differs, or if [`Allocator`](crate::Allocator) isn't the global
/// allocator.
pub fn check_layouts() -> Result<(), LayoutError> {
    measure(|| ()).map_err(LayoutError::NotInstalled)?;
    let mut requested = |make: &mut dyn FnMut()| {
        let net = measure(make).map_or(0, |((), measured)| measured.net_bytes());
        u64::try_from(net).unwrap_or(0)
    };
    memprof_core::layout_check::check(&mut requested).map_err(LayoutError::Differs)
}

/// The reason why layouts are not certified.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutError {
    /// Allocations are not counted, so nothing was compared.
    NotInstalled(NotInstalled),
    /// The first of std's types whose profiles differ from the allocator's counts.
    Differs(&'static str),
}

impl fmt::Display for LayoutError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInstalled(error) => error.fmt(out),
            Self::Differs(name) => write!(
                out,
                "this compiler's `{name}` allocates sizes that memprof does not expect; its bytes \
                 are estimates until memprof is updated"
            ),
        }
    }
}

error_shown_by_unwrap!(LayoutError);
