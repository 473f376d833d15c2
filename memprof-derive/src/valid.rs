//! Checks that need more than one attribute, or an attribute and the item around it.

use crate::ast::{Data, Field, Input, Visit};
use crate::errors::Errors;
use crate::{scalar, tail};

/// Reports conflicts between the parts of an item. Each part alone is already valid.
pub(crate) fn check(input: &Input<'_>, errors: &mut Errors) {
    if let Data::Union(span) = input.data {
        errors.at(
            span,
            "`MemoryProfile` cannot be derived for a union, because the field in use is unknown: \
             mark fields of this type `#[profile(skip)]`, or write the impl by hand",
        );
    }
    if let (Some(span), Data::Struct(fields)) = (input.shareable, &input.data) {
        let generics = &input.original.generics;
        if fields.last().is_some_and(|field| tail::may_be_unsized(field.ty, generics)) {
            errors.at(
                span,
                "values of a type that may be unsized are not compared: put `shareable` on the \
                 type that holds it",
            );
        }
    }
    for field in input.fields() {
        check_exclusions(field, errors);
    }
    if input.repr.packed {
        for field in input.fields() {
            check_packed(field, errors);
        }
    }
}

/// Reports the pairs of words that exclude each other. Each pair is one error, at the later word.
fn check_exclusions(field: &Field<'_>, errors: &mut Errors) {
    for (index, later) in field.entries.iter().enumerate() {
        for earlier in &field.entries[..index] {
            let reason =
                [(earlier, later), (later, earlier)].into_iter().find_map(|(one, other)| {
                    let excludes = one.word.excludes.iter();
                    excludes
                        .clone()
                        .find(|(name, _)| *name == other.word.name)
                        .map(|(_, reason)| reason)
                });
            if let Some(reason) = reason {
                errors.at(
                    later.span,
                    format!(
                        "`{}` cannot be combined with `{}`, as {reason}: remove one of them",
                        later.word.name, earlier.word.name
                    ),
                );
            }
        }
    }
}

fn check_packed(field: &Field<'_>, errors: &mut Errors) {
    let borrowed = match field.visit {
        Visit::Skip => false,
        Visit::Trait => !scalar::is_scalar(field.ty),
        Visit::With(_) | Visit::Each(_) | Visit::Keyed(_) | Visit::Follow => true,
    };
    if borrowed {
        errors.on(
            field.ty,
            "a field of a packed type cannot be borrowed, so it cannot be visited: \
             mark it `#[profile(skip)]`",
        );
    }
}
