//! The functions behind the assertion macros, which profile any value and panic at the caller's
//! location.

use crate::testing::{AmountError, Budget};
use crate::text::{cut, macro_call};
use crate::{MemoryProfile, Profile};
use core::any::type_name;
use std::borrow::Cow;

/// A value that the macros accept: a profile, or anything that can be profiled.
///
/// Method resolution dereferences the macro's value, so the method is called on the value behind a
/// reference. A value that is still a reference owns nothing and would be within any budget, so it
/// is an error.
#[doc(hidden)]
pub trait Profiled {
    /// Returns the profile, or the name of the type if the type is a reference.
    fn __memprof_profile(&self) -> Result<Cow<'_, Profile>, &'static str>;
}

impl<T: MemoryProfile + ?Sized> Profiled for T {
    fn __memprof_profile(&self) -> Result<Cow<'_, Profile>, &'static str> {
        let name = type_name::<T>();
        if name.starts_with('&') {
            return Err(name);
        }
        Ok(Cow::Owned(Profile::of(self)))
    }
}

impl Profiled for Profile {
    fn __memprof_profile(&self) -> Result<Cow<'_, Profile>, &'static str> {
        Ok(Cow::Borrowed(self))
    }
}

/// Returns the profile of a macro's value.
///
/// # Panics
/// Panics if `profile` is an error, because the value is a reference.
#[track_caller]
pub fn profiled<'p>(
    called: &str,
    expression: &str,
    profile: Result<Cow<'p, Profile>, &'static str>,
) -> Cow<'p, Profile> {
    // A panic in a closure would not have the caller's location.
    match profile {
        Ok(profile) => profile,
        Err(type_name) => {
            let value = expression.trim_start_matches(['&', '*', ' ']);
            let value = value.strip_prefix("mut ").unwrap_or(value);
            let call = macro_call(called, expression);
            panic!("{call}: `{type_name}` is a reference and owns nothing; pass `*{value}`")
        }
    }
}

/// Converts a budget from any accepted form.
///
/// # Panics
/// Panics if the value is not a budget.
#[track_caller]
pub fn budget<B: TryInto<Budget, Error: Into<AmountError>>>(expression: &str, budget: B) -> Budget {
    match budget.try_into().map_err(Into::<AmountError>::into) {
        Ok(budget) => budget,
        Err(error) => panic!("{}: {error}", macro_call("assert_budget", expression)),
    }
}

/// Implements `assert_budget!`.
///
/// # Panics
/// Panics if the profile is not within the budgets.
#[track_caller]
pub fn assert_budget(
    expression: &str,
    profile: Result<Cow<'_, Profile>, &'static str>,
    whole: Budget,
    paths: &[(&str, Budget)],
) {
    let profile = profiled("assert_budget", expression, profile);
    if let Err(error) = profile.check_budget(whole, paths) {
        let message = format!("{}: {error}", macro_call("assert_budget", expression));
        let (first, rest) = message.split_once('\n').unwrap_or((&message, ""));
        panic!("{}\n{rest}", cut(first, 100));
    }
}
