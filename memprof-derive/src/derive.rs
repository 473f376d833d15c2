//! `#[derive(MemoryProfile)]`: the parsed item, whose parts the stages below this module read.
//!
//! It has three stages. *Read* parses the item and its attributes, and *validate* checks what depends
//! on more than one attribute; both are here. *Expand* writes the impl (`expand`, `bound`, `types`).
//! Errors accumulate. If there are any, a stub replaces the impl.

mod bound;
mod expand;
mod types;

use crate::attribute::{
    BOUND, CRATE, EACH, Entries, Errors, FOLLOW, KEYED, LEAF, REMOTE, RENAME, ROLE, SHAREABLE,
    SKIP, Target, WITH, name_problem,
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{Attribute, DeriveInput, Member, Path, PathArguments, Token, Type, WherePredicate};
use types::Size;

/// The maximum number of named entries of a keyed map, unless the attribute sets another one.
const DEFAULT_CAP: usize = 20;

/// The roles, as `memprof_core::tree::Role` spells them: in attributes, and its variants. Generated
/// code depends on that crate, but the derive cannot.
const ROLES: [(&str, &str); 3] =
    [("data", "Data"), ("metadata", "Metadata"), ("auxiliary", "Auxiliary")];

/// Returns the impl, or the errors and a stub.
pub(crate) fn derive(item: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let input = Input::read(item, &mut errors);
    input.check(&mut errors);
    match errors.check() {
        Ok(()) => expand::expand(&input),
        Err(error) => expand::stub(&input, &error),
    }
}

struct Input<'a> {
    original: &'a DeriveInput,
    rename: Option<String>,
    /// The predicates that replace the inferred ones.
    bound: Option<Vec<WherePredicate>>,
    /// The path of the runtime crate.
    krate: Option<Path>,
    /// True if fields may be unaligned, so that they cannot be borrowed.
    is_packed: bool,
    /// True if the type may be larger than its fields need.
    is_padded: bool,
    /// True if equal values should be found.
    shareable: bool,
    /// The type of another crate that the item mirrors.
    remote: Option<Remote>,
    entries: Entries,
    data: Data<'a>,
}

enum Data<'a> {
    Struct(Vec<Field<'a>>),
    Enum(Vec<Variant<'a>>),
}

struct Variant<'a> {
    ident: &'a Ident,
    /// The frame of the variant.
    name: String,
    role: Option<Ident>,
    fields: Vec<Field<'a>>,
    /// True if the variant has the attribute `#[non_exhaustive]`.
    is_partial: bool,
    entries: Entries,
}

struct Remote {
    /// The type, with the parameters of the mirror unless the attribute has others.
    ty: TokenStream,
    /// The type's path without arguments, for patterns.
    path: TokenStream,
    span: Span,
    /// True if the mirror has the attribute `#[non_exhaustive]`.
    is_partial: bool,
}

struct Field<'a> {
    ty: &'a Type,
    member: Member,
    /// The frame of the field.
    name: String,
    role: Option<Ident>,
    leaf: bool,
    /// True for the only field of a tuple, which needs no frame unless it was renamed.
    frameless: bool,
    visit: Visit,
    entries: Entries,
}

enum Visit {
    /// Through the trait.
    Trait,
    /// Not at all.
    Skip,
    /// Through a function of the user.
    With(Path),
    /// Through `Each`, with a function of the user.
    Each(Path),
    /// Through `Keyed`, with at most this number of names.
    Keyed(usize),
    /// Through `Follow`.
    Follow,
}

impl<'a> Input<'a> {
    fn read(original: &'a DeriveInput, errors: &mut Errors) -> Self {
        let entries = Entries::read(&original.attrs, Target::Type, errors);
        let data = match &original.data {
            syn::Data::Struct(data) => Data::Struct(read_fields(&data.fields, errors)),
            syn::Data::Enum(data) => Data::Enum(
                data.variants.iter().map(|variant| Variant::read(variant, errors)).collect(),
            ),
            syn::Data::Union(_) => Data::Struct(Vec::new()),
        };
        Self {
            original,
            rename: read_rename(&entries, Target::Type, errors),
            bound: read_bound(&entries, errors),
            krate: entries.path(&CRATE).cloned(),
            is_packed: has_repr(&original.attrs, "packed"),
            is_padded: has_repr(&original.attrs, "align"),
            shareable: entries.has(&SHAREABLE),
            remote: Remote::read(&entries, original, errors),
            entries,
            data,
        }
    }

    /// Returns the fields of the struct, or of all variants.
    fn fields(&self) -> impl Iterator<Item = &Field<'a>> {
        let (own, variants) = match &self.data {
            Data::Struct(fields) => (fields.as_slice(), [].as_slice()),
            Data::Enum(variants) => ([].as_slice(), variants.as_slice()),
        };
        own.iter().chain(variants.iter().flat_map(|variant| &variant.fields))
    }

    /// Each part alone is already valid.
    fn check(&self, errors: &mut Errors) {
        self.entries.check_exclusions(errors);
        for field in self.fields() {
            field.entries.check_exclusions(errors);
            if self.is_packed && field.is_visited() {
                errors.on(
                    field.ty,
                    "a field of a packed type cannot be borrowed, so it cannot be visited; mark it \
                     `#[profile(skip)]`",
                );
            }
        }
        if let syn::Data::Union(data) = &self.original.data {
            errors.at(
                data.union_token.span,
                "`MemoryProfile` cannot be derived for a union, because the active field is \
                 unknown; mark fields of this type `#[profile(skip)]`, or write the impl by hand",
            );
        }
        match &self.data {
            Data::Struct(fields) => {
                let generics = &self.original.generics;
                let size = fields.last().map(|last| types::size(last.ty, generics));
                if self.remote.is_some() {
                    check_lump(fields, "the bytes of a mirrored type are one leaf", errors);
                } else if matches!(size, Some(Size::None | Size::OfParam)) {
                    check_lump(fields, "the bytes of an unsized type are one leaf", errors);
                }
                check_unique(fields.iter().map(Field::named), "fields", errors);
            }
            Data::Enum(variants) => {
                let reason = "the bytes of an enum are one leaf";
                for variant in variants {
                    check_lump(&variant.fields, reason, errors);
                    if variant.fields.iter().all(Field::is_scalar) {
                        variant.entries.check_effect(["a variant", reason, "the enum"], errors);
                    }
                    check_unique(variant.fields.iter().map(Field::named), "fields", errors);
                }
                let names = variants.iter().map(|variant| (&*variant.name, &variant.entries));
                check_unique(names, "variants", errors);
            }
        }
    }
}

/// Reports names and roles of scalars in a type whose own bytes are one leaf.
fn check_lump(fields: &[Field<'_>], reason: &str, errors: &mut Errors) {
    for field in fields.iter().filter(|field| field.is_scalar()) {
        field.entries.check_effect(["a field", reason, "the whole value"], errors);
    }
}

/// Reports each name that `rename` gives to a second field or variant.
fn check_unique<'n>(
    names: impl Iterator<Item = (&'n str, &'n Entries)>,
    what: &str,
    errors: &mut Errors,
) {
    let names: Vec<_> = names.collect();
    for (index, (name, entries)) in names.iter().enumerate() {
        let earlier = names[..index].iter().find(|(earlier, _)| earlier == name);
        // Without `rename`, names are unique.
        let span = earlier
            .and_then(|(_, earlier)| entries.span(&RENAME).or_else(|| earlier.span(&RENAME)));
        if let Some(span) = span {
            let message = format!(
                "two {what} have the name `{name}`, so they would share one line of the profile; \
                 choose another name"
            );
            errors.at(span, message);
        }
    }
}

impl Remote {
    fn read(entries: &Entries, original: &DeriveInput, errors: &mut Errors) -> Option<Self> {
        let text = entries.text(&REMOTE)?;
        let Ok(mut path) = text.parse::<Path>() else {
            let usage = REMOTE.usage;
            errors.at(text.span(), format!("expected the path of a type, as in `{usage}`"));
            return None;
        };
        let last = path.segments.last_mut().expect("a path has a segment");
        let own = original.generics.split_for_impl().1.to_token_stream();
        let arguments = match core::mem::take(&mut last.arguments) {
            PathArguments::None => own,
            written => written.to_token_stream(),
        };
        Some(Self {
            ty: quote!(#path #arguments),
            path: path.to_token_stream(),
            span: text.span(),
            is_partial: is_partial(&original.attrs),
        })
    }
}

/// Returns whether `#[non_exhaustive]` is among the attributes.
fn is_partial(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("non_exhaustive"))
}

fn has_repr(attributes: &[Attribute], word: &str) -> bool {
    let mut reprs = attributes.iter().filter(|attribute| attribute.path().is_ident("repr"));
    reprs.any(|repr| types::mentions(repr.meta.to_token_stream(), &|name| name == word))
}

impl<'a> Variant<'a> {
    fn read(original: &'a syn::Variant, errors: &mut Errors) -> Self {
        let entries = Entries::read(&original.attrs, Target::Variant, errors);
        let rename = read_rename(&entries, Target::Variant, errors);
        Self {
            ident: &original.ident,
            name: rename.unwrap_or_else(|| original.ident.unraw().to_string()),
            role: read_role(&entries, errors),
            fields: read_fields(&original.fields, errors),
            is_partial: is_partial(&original.attrs),
            entries,
        }
    }
}

fn read_fields<'a>(fields: &'a syn::Fields, errors: &mut Errors) -> Vec<Field<'a>> {
    let members = fields.iter().zip(fields.members());
    let mut fields: Vec<_> =
        members.map(|(field, member)| Field::read(field, member, errors)).collect();
    if let [field] = fields.as_mut_slice() {
        field.frameless = matches!(field.member, Member::Unnamed(_)) && !field.entries.has(&RENAME);
    }
    fields
}

impl<'a> Field<'a> {
    fn read(original: &'a syn::Field, member: Member, errors: &mut Errors) -> Self {
        let entries = Entries::read(&original.attrs, Target::Field, errors);
        let name = read_rename(&entries, Target::Field, errors).unwrap_or_else(|| match &member {
            Member::Named(ident) => ident.unraw().to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        });
        Self {
            ty: &original.ty,
            member,
            name,
            role: read_role(&entries, errors),
            leaf: entries.has(&LEAF),
            frameless: false,
            visit: read_visit(&entries, errors),
            entries,
        }
    }

    fn named(&self) -> (&str, &Entries) {
        (&self.name, &self.entries)
    }

    /// Returns whether the field's type owns nothing, as its tokens show.
    fn is_scalar(&self) -> bool {
        matches!(self.visit, Visit::Trait) && types::is_scalar(self.ty)
    }

    /// The shape handles skipped fields.
    fn is_visited(&self) -> bool {
        !self.is_scalar() && !matches!(self.visit, Visit::Skip)
    }
}

fn read_visit(entries: &Entries, errors: &mut Errors) -> Visit {
    if entries.has(&SKIP) {
        Visit::Skip
    } else if entries.has(&FOLLOW) {
        Visit::Follow
    } else if let Some(path) = entries.path(&WITH) {
        Visit::With(path.clone())
    } else if let Some(path) = entries.path(&EACH) {
        Visit::Each(path.clone())
    } else if let Some(cap) = entries.cap(&KEYED) {
        let number = cap.base10_parse().ok().filter(|number| *number > 0);
        let number = number.filter(|_| matches!(cap.suffix(), "" | "usize"));
        if number.is_none() {
            let message = "the cap must be an integer of at least 1, as in `keyed(cap = 20)`";
            errors.at(cap.span(), message);
        }
        Visit::Keyed(number.unwrap_or(DEFAULT_CAP))
    } else if entries.has(&KEYED) {
        Visit::Keyed(DEFAULT_CAP)
    } else {
        Visit::Trait
    }
}

fn read_rename(entries: &Entries, target: Target, errors: &mut Errors) -> Option<String> {
    let text = entries.text(&RENAME)?;
    let name = text.value();
    if let Some(problem) = name_problem(&name, target) {
        errors.at(text.span(), problem);
    }
    Some(name)
}

fn read_role(entries: &Entries, errors: &mut Errors) -> Option<Ident> {
    let text = entries.text(&ROLE)?;
    let word = text.value();
    let role = ROLES.into_iter().find(|(known, _)| *known == word);
    if role.is_none() {
        let [data, metadata, auxiliary] = ROLES.map(|(known, _)| format!("`role = \"{known}\"`"));
        let message = format!("unknown role `{word}`; expected {data}, {metadata} or {auxiliary}");
        errors.at(text.span(), message);
    }
    role.map(|(_, variant)| format_ident!("{variant}"))
}

fn read_bound(entries: &Entries, errors: &mut Errors) -> Option<Vec<WherePredicate>> {
    let text = entries.text(&BOUND)?;
    let parsed = text.parse_with(Punctuated::<WherePredicate, Token![,]>::parse_terminated);
    let report = |error| {
        let usage = BOUND.usage;
        let message =
            format!("expected bounds as in a `where` clause ({error}), such as `{usage}`");
        errors.at(text.span(), message);
    };
    Some(parsed.map_err(report).ok()?.into_iter().collect())
}
