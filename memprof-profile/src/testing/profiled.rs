//! What the macros that assert call: any value made a profile, and panics where the caller is.

use crate::text::cut;
use crate::{AmountError, Budget, MemoryProfile, Profile};
use core::any::type_name;
use std::borrow::Cow;

/// What a macro takes for its value: what can be profiled, and profiles.
///
/// The method is called on the value as it is written, so that of a reference the value behind it
/// is profiled: a reference owns nothing, and would be within any budget.
pub trait Profiled {
    /// The profile, or the name of the type if it is that of a reference.
    #[doc(hidden)]
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

/// The profile of a macro's value.
///
/// # Panics
/// If the value is a reference.
#[track_caller]
pub fn profiled<'p>(
    called: &str,
    expression: &str,
    profile: Result<Cow<'p, Profile>, &'static str>,
) -> Cow<'p, Profile> {
    // No closure: a panic in one is not where the caller is.
    match profile {
        Ok(profile) => profile,
        Err(type_name) => {
            let value = expression.trim_start_matches(['&', '*', ' ']);
            let value = value.strip_prefix("mut ").unwrap_or(value);
            let call = call(called, expression);
            panic!("{call}: `{type_name}` is a reference and owns nothing; hand in `*{value}`")
        }
    }
}

/// `assert_budget!(model)`, for the beginning of a message: on one line and not long.
pub fn call(called: &str, expression: &str) -> String {
    let words: Vec<&str> = expression.split_whitespace().collect();
    format!("{called}!({})", cut(&words.join(" "), 40))
}

/// A budget in whatever form it is written.
///
/// # Panics
/// If it is none.
#[track_caller]
pub fn budget<B: TryInto<Budget, Error: Into<AmountError>>>(expression: &str, budget: B) -> Budget {
    match budget.try_into().map_err(Into::<AmountError>::into) {
        Ok(budget) => budget,
        Err(error) => panic!("{}: {error}", call("assert_budget", expression)),
    }
}

/// What `assert_budget!` calls.
///
/// # Panics
/// If the profile is not within the budgets.
#[track_caller]
pub fn assert_budget(
    expression: &str,
    profile: Result<Cow<'_, Profile>, &'static str>,
    whole: Budget,
    paths: &[(&str, Budget)],
) {
    let profile = profiled("assert_budget", expression, profile);
    if let Err(error) = profile.check_budget(whole, paths) {
        let message = format!("{}: {error}", call("assert_budget", expression));
        let (first, rest) = message.split_once('\n').unwrap_or((&message, ""));
        panic!("{}\n{rest}", cut(first, 100));
    }
}
