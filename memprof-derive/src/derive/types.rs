//! What the derive reads from the tokens of a type, before the compiler knows the type.
//!
//! A name proves nothing: a user's type may be called `String` or `u8`. So a wrong guess only costs
//! time, or the expansion requires a proof: `Copy` for what is not visited.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    GenericArgument, Generics, Ident, PathArguments, PathSegment, Type, TypeGroup, TypeParamBound,
    TypeParen, TypePath, WherePredicate,
};

/// What a name says about the values of a type, whatever its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// They own nothing, and are `Copy`. The name has no path before it.
    Primitive,
    /// They own nothing, and are `Copy`.
    Phantom,
    /// They own a buffer or a handle, which a loop counts in a tally.
    Buffer,
    /// They own memory.
    Owner,
    /// They have a size.
    Sized,
}

impl Kind {
    /// These are all names that the derive recognizes.
    fn of(name: &Ident) -> Option<Self> {
        Some(match name.to_string().as_str() {
            "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64"
            | "i128" | "isize" | "f32" | "f64" | "bool" | "char" => Self::Primitive,
            "PhantomData" => Self::Phantom,
            "String" | "OsString" | "PathBuf" | "Vec" | "Rc" | "Arc" => Self::Buffer,
            "VecDeque" | "BinaryHeap" | "LinkedList" | "Box" | "HashMap" | "HashSet"
            | "BTreeMap" | "BTreeSet" => Self::Owner,
            "Option" | "Weak" | "Cow" | "Pin" | "NonNull" => Self::Sized,
            _ => return None,
        })
    }
}

/// Returns the last segment of a path and its kind, if the name is known.
fn known(path: &TypePath) -> Option<(Kind, &PathSegment)> {
    let last = path.path.segments.last().filter(|_| path.qself.is_none())?;
    let kind = Kind::of(&last.ident)?;
    (kind != Kind::Primitive || path.path.get_ident().is_some()).then_some((kind, last))
}

pub(super) fn arguments(segment: &PathSegment) -> impl Iterator<Item = &Type> {
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    };
    arguments.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        GenericArgument::AssocType(associated) => Some(&associated.ty),
        _ => None,
    })
}

fn of_option(segment: &PathSegment) -> Option<&Type> {
    arguments(segment).next().filter(|_| segment.ident == "Option")
}

/// Returns whether the type's tokens are those of a `Copy` type, whose values need no visit. The
/// generated code requires `Copy`, which no type that owns memory implements.
pub(super) fn is_scalar(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => {
            matches!(known(path), Some((Kind::Primitive | Kind::Phantom, _))) || is_pointer(ty)
        }
        Type::Array(array) => is_scalar(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_scalar),
        Type::Paren(TypeParen { elem, .. }) | Type::Group(TypeGroup { elem, .. }) => {
            is_scalar(elem)
        }
        Type::Reference(reference) => reference.mutability.is_none(),
        Type::Ptr(_) | Type::FnPtr(_) => true,
        _ => false,
    }
}

/// Returns whether a scalar contains a function pointer or a raw pointer. Such a field needs no impl,
/// because there are more signatures than impls can cover.
pub(super) fn is_pointer(ty: &Type) -> bool {
    match ty {
        Type::Ptr(_) | Type::FnPtr(_) => true,
        Type::Array(array) => is_pointer(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().any(is_pointer) && is_scalar(ty),
        Type::Paren(TypeParen { elem, .. }) | Type::Group(TypeGroup { elem, .. }) => {
            is_pointer(elem)
        }
        Type::Path(path) => {
            known(path).and_then(|(_, last)| of_option(last)).is_some_and(is_pointer)
        }
        _ => false,
    }
}

/// Returns whether the type has the name of an std type that owns memory, whatever it contains.
///
/// If a type has such a field, the expansion need not call `is_flat` of the other fields. One call
/// per field took one thirtieth of the compiler's time before code generation.
pub(super) fn is_owner(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    matches!(known(path), Some((Kind::Buffer | Kind::Owner, _)))
}

/// Tallies for all fields would increase the compile time by a fifth.
pub(super) fn benefits_from_tally(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => benefits_from_tally(&array.elem),
        Type::Path(path) => known(path).is_some_and(|(kind, last)| {
            kind == Kind::Buffer || of_option(last).is_some_and(benefits_from_tally)
        }),
        _ => false,
    }
}

/// Whether a type has a size, as far as its tokens show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    Known,
    /// The compiler decides, once for all values of the struct.
    Unknown,
    /// There is none.
    None,
    /// It depends on a parameter with `?Sized`.
    OfParam,
}

/// Returns whether the last field of a struct with these generics has a size.
pub(super) fn size(ty: &Type, generics: &Generics) -> Size {
    match ty {
        Type::Slice(_) | Type::TraitObject(_) => Size::None,
        Type::Path(path) if path.path.is_ident("str") => Size::None,
        Type::Macro(_) => Size::Unknown,
        Type::Paren(inner) => size(&inner.elem, generics),
        Type::Group(inner) => size(&inner.elem, generics),
        Type::Path(path) if known(path).is_none() => {
            let tokens = ty.to_token_stream();
            let is_param = |name: &Ident| generics.type_params().any(|param| param.ident == *name);
            if mentions(tokens.clone(), &|name| unsized_params(generics).contains(&name)) {
                Size::OfParam
            } else if is_param(&path.path.segments[0].ident)
                || path.qself.is_some() && mentions(tokens, &is_param)
            {
                // A parameter is sized, and an associated type is too if its trait does not say
                // otherwise.
                Size::Known
            } else {
                Size::Unknown
            }
        }
        _ => Size::Known,
    }
}

fn unsized_params(generics: &Generics) -> Vec<&Ident> {
    let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let in_clause = predicates.filter_map(|predicate| match predicate {
        WherePredicate::Type(predicate) if predicate.bounds.iter().any(is_relaxed_bound) => {
            let Type::Path(path) = &predicate.bounded_ty else { return None };
            path.path.get_ident()
        }
        _ => None,
    });
    let params = generics.type_params();
    let relaxed = params.filter(|param| param.bounds.iter().any(is_relaxed_bound));
    relaxed.map(|param| &param.ident).chain(in_clause).collect()
}

fn is_relaxed_bound(bound: &TypeParamBound) -> bool {
    // `?` is the first token of every `?Sized`, and of no other bound.
    let first = bound.to_token_stream().into_iter().next();
    matches!(first, Some(TokenTree::Punct(mark)) if mark.as_char() == '?')
}

/// Adds tokens to a list, unless the same are there.
pub(super) fn add_new(list: &mut Vec<TokenStream>, tokens: TokenStream) {
    let written = tokens.to_string();
    if list.iter().all(|known| known.to_string() != written) {
        list.push(tokens);
    }
}

pub(super) fn mentions(tokens: TokenStream, is_wanted: &dyn Fn(&Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => is_wanted(&ident),
        TokenTree::Group(group) => mentions(group.stream(), is_wanted),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::{Size, benefits_from_tally, is_owner, is_pointer, is_scalar, size};
    use syn::{ItemStruct, Type, parse_quote};

    #[test]
    fn names_of_std_say_what_values_own() {
        let cases: [(Type, [bool; 4]); 19] = [
            // The type; whether it is a scalar, needs no impl, owns memory, benefits from a tally.
            (parse_quote!(u64), [true, false, false, false]),
            (parse_quote!([(f32, bool); 3]), [true, false, false, false]),
            (parse_quote!(&'a mut_free::Type), [true, false, false, false]),
            (parse_quote!(core::marker::PhantomData<Vec<T>>), [true, false, false, false]),
            (parse_quote!(()), [true, false, false, false]),
            (parse_quote!(extern "system" fn(&u8) -> String), [true, true, false, false]),
            (parse_quote!(Option<for<'a> fn(&'a u8)>), [true, true, false, false]),
            (parse_quote!([(*const T, u8); 2]), [true, true, false, false]),
            (parse_quote!((fn(), String)), [false, false, false, false]),
            (parse_quote!(String), [false, false, true, true]),
            (parse_quote!(std::collections::HashMap<u8, u8>), [false, false, true, false]),
            (parse_quote!(Option<Vec<(u8, f64)>>), [false, false, false, true]),
            (parse_quote!([Arc<Unit>; 4]), [false, false, false, true]),
            (parse_quote!(Option<Box<Self>>), [false, false, false, false]),
            (parse_quote!([String; 0]), [false, false, false, true]),
            (parse_quote!(<u8 as Held>::String), [false, false, false, false]),
            (parse_quote!(my::u64), [false, false, false, false]),
            (parse_quote!(&'a mut u8), [false, false, false, false]),
            (parse_quote!(T), [false, false, false, false]),
        ];
        for (ty, expected) in cases {
            let found = [is_scalar(&ty), is_pointer(&ty), is_owner(&ty), benefits_from_tally(&ty)];
            assert_eq!(found, expected, "{ty:?}");
        }
    }

    #[test]
    fn a_last_field_has_a_size_unless_its_name_or_a_relaxed_parameter_leaves_it_open() {
        let cases: [(ItemStruct, Size); 9] = [
            (
                parse_quote!(
                    struct S<T: ?Sized>(u8, T);
                ),
                Size::OfParam,
            ),
            (
                parse_quote!(
                    struct S<T>(u8, T)
                    where
                        T: ?Sized;
                ),
                Size::OfParam,
            ),
            (
                parse_quote!(
                    struct S<T: ?Sized>(Mutex<T>);
                ),
                Size::OfParam,
            ),
            (
                parse_quote!(
                    struct S<T: ?Sized>(u8, Box<T>);
                ),
                Size::Known,
            ),
            (
                parse_quote!(
                    struct S<T: ?Sized>(u8, &'static T);
                ),
                Size::Known,
            ),
            (
                parse_quote!(
                    struct S<T: Iterator>(u8, T::Item);
                ),
                Size::Known,
            ),
            (
                parse_quote!(
                    struct S(u8, [u8]);
                ),
                Size::None,
            ),
            (
                parse_quote!(
                    struct S(std::path::Path);
                ),
                Size::Unknown,
            ),
            (
                parse_quote!(
                    struct S<T>(Mutex<T>);
                ),
                Size::Unknown,
            ),
        ];
        for (item, expected) in cases {
            let last = item.fields.iter().next_back().expect("the struct has fields");
            assert_eq!(size(&last.ty, &item.generics), expected, "{item:?}");
        }
    }
}
