//! Checks that need more than one attribute, or an attribute and the item around it.

use crate::ast::{Data, Field, Input, Variant, Visit};
use crate::attribute::{Entry, RENAME, ROLE, find};
use crate::diagnostics::Errors;
use crate::types::{self, Size};

/// Reports conflicts between the parts of an item. Each part alone is already valid.
pub(crate) fn check(input: &Input<'_>, errors: &mut Errors) {
    check_exclusions(&input.entries, errors);
    for field in input.fields() {
        check_exclusions(&field.entries, errors);
        if input.repr.packed {
            check_packed(field, errors);
        }
    }
    match &input.data {
        Data::Union(span) => errors.at(
            *span,
            "`MemoryProfile` cannot be derived for a union, because the active field is unknown; \
             mark fields of this type `#[profile(skip)]`, or write the impl by hand",
        ),
        Data::Struct(fields) => {
            let size = fields.last().map(|last| types::size(last.ty, &input.original.generics));
            let is_unsized = fields.last().is_some_and(|last| types::is_unsized(last.ty));
            if input.remote.is_some() {
                check_lump(fields, "the bytes of a mirrored type are one leaf", errors);
            } else if is_unsized || size == Some(Size::OfParam) {
                check_lump(fields, "the bytes of an unsized type are one leaf", errors);
            }
            check_names(fields, errors);
        }
        Data::Enum(variants) => {
            for variant in variants {
                check_lump(&variant.fields, "the bytes of an enum are one leaf", errors);
                check_variant(variant, errors);
                check_names(&variant.fields, errors);
            }
            let names = variants.iter().map(|variant| (variant.name.as_str(), &*variant.entries));
            report_repeated(names, "variants", errors);
        }
    }
}

/// Reports the pairs of words that exclude each other. Each pair is one error, at the later word.
fn check_exclusions(entries: &[Entry], errors: &mut Errors) {
    for (index, later) in entries.iter().enumerate() {
        for earlier in &entries[..index] {
            let pairs = [(earlier, later), (later, earlier)];
            let excluded = pairs.iter().find_map(|(one, other)| {
                one.word.excludes.iter().find(|(name, _)| *name == other.word.name)
            });
            if let Some((_, reason)) = excluded {
                let (later_name, earlier_name) = (later.word.name, earlier.word.name);
                let message = format!(
                    "`{later_name}` cannot be combined with `{earlier_name}`, because {reason}"
                );
                errors.at(later.span, message);
            }
        }
    }
}

/// Reports names and roles of scalars in a type whose own bytes are one leaf.
fn check_lump(fields: &[Field<'_>], reason: &str, errors: &mut Errors) {
    for field in fields.iter().filter(|field| field.is_scalar()) {
        report_ineffective(&field.entries, ["a field", reason, "the whole value"], errors);
    }
}

/// Reports a name or a role of a variant that has no line of its own.
fn check_variant(variant: &Variant<'_>, errors: &mut Errors) {
    if variant.fields.iter().all(Field::is_scalar) {
        let texts = ["a variant", "the bytes of an enum are one leaf", "the enum"];
        report_ineffective(&variant.entries, texts, errors);
    }
}

fn report_ineffective(entries: &[Entry], [on, reason, whole]: [&str; 3], errors: &mut Errors) {
    for entry in [&RENAME, &ROLE].into_iter().filter_map(|word| find(entries, word)) {
        let word = entry.word.name;
        let message = format!(
            "`{word}` has no effect on {on} that owns nothing, because {reason}; remove it, or set \
             `{word}` where {whole} is a field"
        );
        errors.at(entry.span, message);
    }
}

fn check_names(fields: &[Field<'_>], errors: &mut Errors) {
    let names = fields.iter().map(|field| (field.name.as_str(), &*field.entries));
    report_repeated(names, "fields", errors);
}

/// Reports each name that `rename` gives to a second field or variant.
fn report_repeated<'n>(
    names: impl Iterator<Item = (&'n str, &'n [Entry])>,
    what: &str,
    errors: &mut Errors,
) {
    let names: Vec<_> = names.collect();
    for (index, (name, entries)) in names.iter().enumerate() {
        let Some(earlier) = names[..index].iter().find(|(earlier, _)| earlier == name) else {
            continue;
        };
        // Without `rename`, names are unique.
        if let Some(entry) = find(entries, &RENAME).or_else(|| find(earlier.1, &RENAME)) {
            let message = format!(
                "two {what} have the name `{name}`, so they would share one line of the profile; \
                 choose another name"
            );
            errors.at(entry.span, message);
        }
    }
}

fn check_packed(field: &Field<'_>, errors: &mut Errors) {
    if !field.is_scalar() && !matches!(field.visit, Visit::Skip) {
        errors.on(
            field.ty,
            "a field of a packed type cannot be borrowed, so it cannot be visited; \
             mark it `#[profile(skip)]`",
        );
    }
}
