//! Checks for functions and names that cannot be tracked.

use super::function::Function;
use super::words::Words;
use crate::errors::Errors;
use crate::name;
use crate::word::Target;

pub(crate) fn check(function: &Function, words: &Words, errors: &mut Errors) {
    if let Some(constant) = &function.signature.constness {
        errors.on(
            constant,
            "a `const fn` can't be tracked, as it may run in the compiler: remove `const`, or write \
             `let _operation = memprof::operation!(\"name\");` where it is called",
        );
    }
    let Some(name) = &words.name else { return };
    let text = name.value();
    if text.is_empty() {
        errors.on(
            name,
            "a name cannot be empty: write one, or remove `name` to use that of the function",
        );
    } else if let Some(problem) = name::problem(&text, Target::Field) {
        errors.on(name, problem);
    }
}
