//! The parsed item: its fields and variants, and their attributes.

use crate::attribute::{self, Entry, Target, Value, Word};
use crate::diagnostics::{Errors, name_problem};
use crate::types;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, DeriveInput, Ident, Member, Path, PathArguments, Token, Type, WherePredicate,
};

/// The maximum number of named entries of a keyed map, unless the attribute sets another one.
const DEFAULT_CAP: usize = 20;

/// A type with `#[derive(MemoryProfile)]`.
pub(crate) struct Input<'a> {
    pub(crate) original: &'a DeriveInput,
    pub(crate) rename: Option<String>,
    /// The predicates that replace the inferred ones.
    pub(crate) bound: Option<Vec<WherePredicate>>,
    /// The path of the runtime crate.
    pub(crate) krate: Option<Path>,
    pub(crate) repr: Repr,
    /// True if equal values should be found.
    pub(crate) shareable: bool,
    /// The type of another crate that the item mirrors.
    pub(crate) remote: Option<Remote>,
    /// The entries of the attributes as written, for checks.
    pub(crate) entries: Vec<Entry>,
    pub(crate) data: Data<'a>,
}

pub(crate) enum Data<'a> {
    Struct(Vec<Field<'a>>),
    Enum(Vec<Variant<'a>>),
    Union(Span),
}

pub(crate) struct Variant<'a> {
    pub(crate) ident: &'a Ident,
    /// The frame of the variant.
    pub(crate) name: String,
    pub(crate) role: Option<Role>,
    pub(crate) fields: Vec<Field<'a>>,
    /// True if the variant has the attribute `#[non_exhaustive]`.
    pub(crate) is_partial: bool,
    /// The entries of the attributes as written, for checks.
    pub(crate) entries: Vec<Entry>,
}

/// The type that a mirror describes.
pub(crate) struct Remote {
    /// The type, with the parameters of the mirror unless the attribute has others.
    pub(crate) ty: TokenStream,
    /// The type's path without arguments, for patterns.
    pub(crate) path: TokenStream,
    pub(crate) span: Span,
    /// True if the mirror has the attribute `#[non_exhaustive]`.
    pub(crate) is_partial: bool,
}

/// The parts of `#[repr(...)]` that the expansion depends on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Repr {
    /// True if fields may be unaligned, so that they cannot be borrowed.
    pub(crate) packed: bool,
    /// True if the type may be larger than its fields need.
    pub(crate) align: bool,
}

pub(crate) struct Field<'a> {
    pub(crate) ty: &'a Type,
    pub(crate) member: Member,
    /// The frame of the field.
    pub(crate) name: String,
    pub(crate) role: Option<Role>,
    pub(crate) leaf: bool,
    /// True for the only field of a tuple struct, which needs no frame unless it was renamed.
    pub(crate) frameless: bool,
    pub(crate) visit: Visit,
    /// The entries of the attributes as written, for checks.
    pub(crate) entries: Vec<Entry>,
}

/// The way in which a field's owned memory is added.
pub(crate) enum Visit {
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

/// A variant of `memprof_core::tree::Role`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Data,
    Metadata,
    Auxiliary,
}

/// All roles with their words, as `memprof_core::tree::Role` spells them. Generated code depends on
/// that crate, but the derive cannot.
const ROLES: [(&str, Role); 3] =
    [("data", Role::Data), ("metadata", Role::Metadata), ("auxiliary", Role::Auxiliary)];

impl<'a> Input<'a> {
    pub(crate) fn read(original: &'a DeriveInput, errors: &mut Errors) -> Self {
        let entries = attribute::read(&original.attrs, Target::Type, errors);
        let data = match &original.data {
            syn::Data::Struct(data) => Data::Struct(read_struct(&data.fields, errors)),
            syn::Data::Enum(data) => Data::Enum(
                data.variants.iter().map(|variant| Variant::read(variant, errors)).collect(),
            ),
            syn::Data::Union(data) => Data::Union(data.union_token.span),
        };
        Self {
            original,
            rename: read_rename(&entries, Target::Type, errors),
            bound: read_bound(&entries, errors),
            krate: attribute::find(&entries, &attribute::CRATE).and_then(Entry::path).cloned(),
            repr: Repr::read(&original.attrs),
            shareable: attribute::find(&entries, &attribute::SHAREABLE).is_some(),
            remote: Remote::read(&entries, original, errors),
            entries,
            data,
        }
    }

    /// Returns the fields of the struct, or of all variants.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &Field<'a>> {
        let (own, variants) = match &self.data {
            Data::Struct(fields) => (fields.as_slice(), [].as_slice()),
            Data::Enum(variants) => ([].as_slice(), variants.as_slice()),
            Data::Union(_) => ([].as_slice(), [].as_slice()),
        };
        own.iter().chain(variants.iter().flat_map(|variant| &variant.fields))
    }
}

impl Remote {
    fn read(entries: &[Entry], original: &DeriveInput, errors: &mut Errors) -> Option<Self> {
        let text = attribute::find(entries, &attribute::REMOTE)?.text()?;
        let Ok(mut path) = text.parse::<Path>() else {
            let usage = attribute::REMOTE.usage;
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

impl Repr {
    fn read(attributes: &[Attribute]) -> Self {
        let mut repr = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("repr")) {
            // The compiler reports errors in `repr` itself.
            let _ = attribute.parse_nested_meta(|meta| {
                repr.packed |= meta.path.is_ident("packed");
                repr.align |= meta.path.is_ident("align");
                if meta.input.peek(syn::token::Paren) {
                    let content;
                    syn::parenthesized!(content in meta.input);
                    content.parse::<TokenStream>()?;
                }
                Ok(())
            });
        }
        repr
    }
}

/// Reads the fields of a struct.
fn read_struct<'a>(fields: &'a syn::Fields, errors: &mut Errors) -> Vec<Field<'a>> {
    let mut fields = read_fields(fields, errors);
    if let [field] = fields.as_mut_slice() {
        field.frameless =
            matches!(field.member, Member::Unnamed(_)) && !field.has(&attribute::RENAME);
    }
    fields
}

impl<'a> Variant<'a> {
    fn read(original: &'a syn::Variant, errors: &mut Errors) -> Self {
        let entries = attribute::read(&original.attrs, Target::Variant, errors);
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
    fields
        .iter()
        .zip(fields.members())
        .map(|(field, member)| Field::read(field, member, errors))
        .collect()
}

impl<'a> Field<'a> {
    fn read(original: &'a syn::Field, member: Member, errors: &mut Errors) -> Self {
        let entries = attribute::read(&original.attrs, Target::Field, errors);
        let name = read_rename(&entries, Target::Field, errors).unwrap_or_else(|| match &member {
            Member::Named(ident) => ident.unraw().to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        });
        Self {
            ty: &original.ty,
            member,
            name,
            role: read_role(&entries, errors),
            leaf: attribute::find(&entries, &attribute::LEAF).is_some(),
            frameless: false,
            visit: read_visit(&entries, errors),
            entries,
        }
    }

    /// Returns whether the field's type owns nothing, as its tokens show.
    pub(crate) fn is_scalar(&self) -> bool {
        matches!(self.visit, Visit::Trait) && types::is_scalar(self.ty)
    }

    /// Returns whether the field has an attribute with this word.
    pub(crate) fn has(&self, word: &Word) -> bool {
        attribute::find(&self.entries, word).is_some()
    }
}

fn read_visit(entries: &[Entry], errors: &mut Errors) -> Visit {
    if attribute::find(entries, &attribute::SKIP).is_some() {
        return Visit::Skip;
    }
    if attribute::find(entries, &attribute::FOLLOW).is_some() {
        return Visit::Follow;
    }
    if let Some(path) = attribute::find(entries, &attribute::WITH).and_then(Entry::path) {
        return Visit::With(path.clone());
    }
    if let Some(path) = attribute::find(entries, &attribute::EACH).and_then(Entry::path) {
        return Visit::Each(path.clone());
    }
    match attribute::find(entries, &attribute::KEYED).map(|entry| &entry.value) {
        Some(Value::Cap(cap)) => match cap.base10_parse::<usize>() {
            Ok(number @ 1..) if matches!(cap.suffix(), "" | "usize") => Visit::Keyed(number),
            _ => {
                errors.at(
                    cap.span(),
                    "the cap must be a whole number of at least 1, as in `keyed(cap = 20)`",
                );
                Visit::Keyed(DEFAULT_CAP)
            }
        },
        Some(_) => Visit::Keyed(DEFAULT_CAP),
        None => Visit::Trait,
    }
}

fn read_rename(entries: &[Entry], target: Target, errors: &mut Errors) -> Option<String> {
    let text = attribute::find(entries, &attribute::RENAME)?.text()?;
    let name = text.value();
    if let Some(problem) = name_problem(&name, target) {
        errors.at(text.span(), problem);
    }
    Some(name)
}

fn read_role(entries: &[Entry], errors: &mut Errors) -> Option<Role> {
    let text = attribute::find(entries, &attribute::ROLE)?.text()?;
    let word = text.value();
    let role = ROLES.into_iter().find(|(known, _)| *known == word);
    if role.is_none() {
        let [data, metadata, auxiliary] = ROLES.map(|(known, _)| format!("`role = \"{known}\"`"));
        let message = format!("unknown role `{word}`; expected {data}, {metadata} or {auxiliary}");
        errors.at(text.span(), message);
    }
    role.map(|(_, role)| role)
}

fn read_bound(entries: &[Entry], errors: &mut Errors) -> Option<Vec<WherePredicate>> {
    let text = attribute::find(entries, &attribute::BOUND)?.text()?;
    let parsed = text.parse_with(Punctuated::<WherePredicate, Token![,]>::parse_terminated);
    match parsed {
        Ok(predicates) => Some(predicates.into_iter().collect()),
        Err(error) => {
            let message = format!(
                "expected bounds as in a `where` clause ({error}), such as `{}`",
                attribute::BOUND.usage
            );
            errors.at(text.span(), message);
            None
        }
    }
}
