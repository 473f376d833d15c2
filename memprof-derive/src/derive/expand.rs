//! The impl of a valid item, as code.
//!
//! The expansion only names fields. It contains no formatting, no closures and no unsafe code, and
//! one statement per field that can own memory. Everything else is in the runtime, which is
//! compiled once.

/// Returns generated code, whose local variables user code can neither use nor shadow.
macro_rules! code {
    ($($code:tt)*) => {
        quote::quote_spanned!(proc_macro2::Span::mixed_site()=> $($code)*)
    };
}

mod structs;
mod variants;

use super::{Data, Field, Input, Visit, bound, types};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

struct Items {
    methods: TokenStream,
    /// The function `shape` of an impl of `Shaped`, if the type may have no size. The function of
    /// the trait `MemoryProfile` needs a size.
    shape: Option<TokenStream>,
    /// True if the items name `Tail`.
    has_tail: bool,
}

pub(super) fn expand(input: &Input<'_>) -> TokenStream {
    let ident = &input.original.ident;
    let (impl_generics, ty_generics, _) = input.original.generics.split_for_impl();
    let where_clause = bound::where_clause(input);
    let attributes = code! {
        #[automatically_derived]
        #[allow(deprecated, non_camel_case_types, non_upper_case_globals)]
    };
    if let Some(remote) = &input.remote {
        let function = variants::of_mirror(input, remote);
        let mirror = code! {
            #attributes
            impl #impl_generics #ident #ty_generics #where_clause { #function }
        };
        return in_scope(input, &mirror);
    }
    let Items { methods, shape, has_tail } = match &input.data {
        Data::Struct(fields) => structs::expand(fields, input),
        Data::Enum(variants) => {
            let methods = variants::methods(variants, input);
            Items { methods, shape: None, has_tail: false }
        }
    };
    let tail = has_tail.then(|| {
        code! {
            #[allow(unused_imports)]
            use __memprof::TailOfAnySize as _;
        }
    });
    let type_name = input.rename.as_ref().map(|name| {
        code! {
            fn type_name(&self) -> &'static __memprof::str { #name }
        }
    });
    let shape = shape.map(|shape| {
        code! {
            #attributes
            impl #impl_generics __memprof::Shaped for #ident #ty_generics #where_clause { #shape }
        }
    });
    in_scope(
        input,
        &code! {
            #tail
            #shape
            #attributes
            impl #impl_generics __memprof::MemoryProfile for #ident #ty_generics #where_clause {
                #methods
                #type_name
            }
        },
    )
}

/// Without the impl, every use of the type would be another error.
pub(super) fn stub(input: &Input<'_>, error: &syn::Error) -> TokenStream {
    let errors = error.to_compile_error();
    let ident = &input.original.ident;
    let (impl_generics, ty_generics, where_clause) = input.original.generics.split_for_impl();
    let (of, function, value) = if input.remote.is_some() {
        let visibility = &input.original.vis;
        let function = code!(#visibility fn owned<'__memprof, __T: ?__memprof::Sized>);
        (None, function, code!(_: &'__memprof __T))
    } else {
        let of = code!(__memprof::MemoryProfile for);
        (Some(of), code!(fn owned<'__memprof>), code!(&'__memprof self))
    };
    let stub = in_scope(
        input,
        &code! {
            #[automatically_derived]
            impl #impl_generics #of #ident #ty_generics #where_clause {
                #function(
                    #value,
                    _: &mut __memprof::Walk<'__memprof>,
                    _: __memprof::Position,
                ) {}
            }
        },
    );
    quote!(#errors #stub)
}

/// In the scope, `__memprof` is the module of everything that generated code may name.
fn in_scope(input: &Input<'_>, item: &TokenStream) -> TokenStream {
    let krate = input.krate.as_ref().map_or_else(|| quote!(::memprof), ToTokens::to_token_stream);
    code! {
        const _: () = {
            use #krate::__private as __memprof;
            #item
        };
    }
}

/// Returns a method that takes a value, the walk and a position.
fn method(name: &str, body: &TokenStream) -> TokenStream {
    let name = Ident::new(name, Span::mixed_site());
    code! {
        fn #name<'__memprof>(
            &'__memprof self,
            walk: &mut __memprof::Walk<'__memprof>,
            at: __memprof::Position,
        ) { #body }
    }
}

/// Returns the method `is_flat` for a type whose fields own nothing under these conditions.
fn is_flat(fields: impl Iterator<Item = Option<TokenStream>>, input: &Input<'_>) -> TokenStream {
    let mut conditions: Vec<TokenStream> = Vec::new();
    for condition in input.shareable.then(never).into_iter().chain(fields.flatten()) {
        if condition.to_string() == never().to_string() {
            conditions = vec![condition];
            break;
        }
        types::add_new(&mut conditions, condition);
    }
    let body = if conditions.is_empty() { code!(true) } else { code!(#(#conditions)&&*) };
    code! {
        fn is_flat() -> __memprof::bool { #body }
    }
}

fn never() -> TokenStream {
    code!(false)
}

/// Returns the method `owned` for a type whose values own nothing.
fn owns_nothing(input: &Input<'_>) -> TokenStream {
    if input.shareable {
        return method("owned", &of_one_value(TokenStream::new(), input));
    }
    code! {
        fn owned<'__memprof>(
            &'__memprof self,
            _: &mut __memprof::Walk<'__memprof>,
            _: __memprof::Position,
        ) {}
    }
}

/// Puts `statements` inside a call of `shareable` if the type requests it.
fn of_one_value(statements: TokenStream, input: &Input<'_>) -> TokenStream {
    if !input.shareable {
        return statements;
    }
    let inner = if statements.is_empty() { code!(_) } else { code!(walk) };
    code!(walk.shareable(at, self, |#inner| { #statements });)
}

struct Owned<'i> {
    input: &'i Input<'i>,
    /// The shape that has the entries of the visits.
    shape: TokenStream,
    visits: Vec<FieldVisit>,
    is_recursive: bool,
    /// True if the type has a size, so that it can be in a slice.
    is_sized: bool,
}

impl Owned<'_> {
    /// Returns the methods `owned` and `owned_each`. `body` combines the statements of all visits into
    /// the code for one value. It gets the statement that looks up the positions of the fields, which
    /// a loop needs only once.
    ///
    /// `owned` adds to the tree directly. With tallies it would need twice the code, and most types
    /// are never in a slice. `owned_each` is marked `#[inline]`, so that it is compiled only where it
    /// is used.
    fn methods(&self, body: impl Fn(&TokenStream, &[&TokenStream]) -> TokenStream) -> TokenStream {
        let Self { input, shape, visits, .. } = self;
        let look_up = if self.is_recursive { code!(fields_of_recursive) } else { code!(fields) };
        let positions = code!(let fields = walk.#look_up(at, #shape););
        let of_one: Vec<_> = visits.iter().map(|visit| &visit.single).collect();
        let of_one = body(&positions, &of_one);
        let owned = method("owned", &of_one_value(code!(let value = self; #of_one), input));
        if input.shareable || !self.is_sized {
            // The default loop of the trait calls `owned` for each value.
            return owned;
        }
        let of_each: Vec<_> = visits.iter().map(|visit| &visit.statement).collect();
        let of_each = body(&TokenStream::new(), &of_each);
        let before = visits.iter().map(|visit| &visit.before);
        let after = visits.iter().map(|visit| &visit.after);
        code! {
            #owned
            #[inline]
            fn owned_each<'__memprof>(
                values: impl __memprof::Iterator<Item = &'__memprof Self>,
                walk: &mut __memprof::Walk<'__memprof>,
                at: __memprof::Position,
            ) where Self: '__memprof {
                #positions
                #(#before)*
                for value in values {
                    #of_each
                }
                #(#after)*
            }
        }
    }
}

/// The way in which a loop over values visits one of their fields.
///
/// Buffers are counted in a tally on the stack, which is added to the tree once, after the loop.
struct FieldVisit {
    before: TokenStream,
    statement: TokenStream,
    single: TokenStream,
    after: TokenStream,
}

impl FieldVisit {
    fn without_tally(single: TokenStream) -> Self {
        let (before, after) = (TokenStream::new(), TokenStream::new());
        Self { before, statement: single.clone(), single, after }
    }
}

/// What a shape does with the inline bytes of a value.
#[derive(Clone, Copy)]
enum Layout {
    /// It splits them over the fields.
    Split,
    /// The same, for the last field of a type that may have no size.
    Tail,
    /// They are one leaf. The field is below this entry, or below the value.
    Lump(Option<u16>),
}

impl Field<'_> {
    /// Returns the span for errors about the field's type.
    fn type_span(&self) -> Span {
        self.ty.span().resolved_at(Span::mixed_site())
    }

    /// Because of the span, the error about a missing impl is at the field's type.
    fn trait_of_field(&self) -> TokenStream {
        let ty = self.ty;
        quote_spanned!(self.type_span()=> <#ty as __memprof::MemoryProfile>)
    }

    fn entry(&self, layout: Layout) -> TokenStream {
        let (ty, name) = (self.ty, &self.name);
        let entry = match (layout, &self.visit) {
            (Layout::Lump(_), _) => code!(__memprof::Field::frame(#name)),
            (Layout::Tail, visit) => {
                let kind = match visit {
                    Visit::Trait => code!(FIELD),
                    Visit::Skip => code!(SKIPPED),
                    _ => code!(LUMP),
                };
                code!(__memprof::named(__memprof::Tail::<#ty>::#kind, #name))
            }
            (Layout::Split, Visit::Trait) if types::is_pointer(ty) => {
                code!(__memprof::pointer::<#ty>(#name))
            }
            (Layout::Split, Visit::Trait) if self.is_scalar() => {
                quote_spanned!(self.type_span()=> __memprof::scalar::<#ty>(#name))
            }
            // The path names a method of the trait, so that all errors about a missing impl have
            // the same text. The compiler then reports only the first one.
            (Layout::Split, Visit::Trait) => quote_spanned! {self.type_span()=>
                __memprof::field::<#ty>(#name, <#ty as __memprof::MemoryProfile>::shape)
            },
            (Layout::Split, Visit::Skip) => code!(__memprof::Field::skipped::<#ty>(#name)),
            (Layout::Split, _) => code!(__memprof::Field::lump::<#ty>(#name)),
        };
        let entry = decorated(&entry, self.role.as_ref(), self.leaf);
        let without_frame = self.frameless.then(|| code!(.without_frame()));
        let below = match layout {
            Layout::Lump(below) => below.map(|index| code!(.below(#index))),
            Layout::Split | Layout::Tail => None,
        };
        code!(#entry #without_frame #below)
    }

    /// `reference` is a reference to the field, and `index` is its entry.
    fn visit(&self, reference: &TokenStream, index: usize) -> FieldVisit {
        let single = self.single_visit(reference, index);
        if !matches!(self.visit, Visit::Trait) || !types::benefits_from_tally(self.ty) {
            return FieldVisit::without_tally(single);
        }
        let (at, trait_of_field) = (entry_at(index), self.trait_of_field());
        let tally = format_ident!("tally{index}", span = Span::mixed_site());
        FieldVisit {
            before: code!(let mut #tally = __memprof::Tally::new();),
            statement: code!(#trait_of_field::tally(#reference, &mut #tally, walk, #at);),
            single,
            after: code!(#trait_of_field::settle(#tally, walk, #at);),
        }
    }

    fn single_visit(&self, reference: &TokenStream, index: usize) -> TokenStream {
        self.statement_at(reference, &entry_at(index))
    }

    fn statement_at(&self, reference: &TokenStream, at: &TokenStream) -> TokenStream {
        let ty = self.ty;
        match &self.visit {
            Visit::Trait => quote_spanned! {self.type_span()=>
                <#ty as __memprof::MemoryProfile>::owned(#reference, walk, #at);
            },
            Visit::Skip => code!(__memprof::skipped::<#ty>(walk, #at);),
            Visit::With(path) => {
                let walk = code!(walk);
                quote_spanned! {path.span().resolved_at(Span::mixed_site())=>
                    #path(#reference, #walk, #at);
                }
            }
            Visit::Each(path) => {
                // Because of the path's span, the error about a function of the wrong type is at
                // the path.
                let path = quote_spanned!(path.span().resolved_at(Span::mixed_site())=> #path);
                quote_spanned! {self.type_span()=>
                    <#ty as __memprof::Each>::each(#reference, #path, walk, #at);
                }
            }
            Visit::Keyed(cap) => quote_spanned! {self.type_span()=>
                <#ty as __memprof::Keyed>::keyed(#reference, #cap, walk, #at);
            },
            Visit::Follow => quote_spanned! {self.type_span()=>
                __memprof::follow::<#ty>(#reference, walk, #at);
            },
        }
    }

    /// Returns the condition under which the field owns nothing, or `None` if it never owns anything.
    fn flat(&self, layout: Layout) -> Option<TokenStream> {
        let ty = self.ty;
        match (&self.visit, layout) {
            (Visit::Trait, Layout::Tail) => Some(code!(__memprof::Tail::<#ty>::is_flat())),
            (Visit::Trait, _) if self.is_scalar() => None,
            (Visit::Trait, _) if types::is_owner(ty) => Some(never()),
            (Visit::Trait, _) => Some(
                quote_spanned!(self.type_span()=> <#ty as __memprof::MemoryProfile>::is_flat()),
            ),
            // A shape that is one leaf cannot mark skipped fields.
            (Visit::Skip, Layout::Lump(_)) => Some(code!(!__memprof::needs_drop::<#ty>())),
            (Visit::Skip, _) => None,
            _ => Some(never()),
        }
    }
}

fn entry_at(index: usize) -> TokenStream {
    let entry = u32::try_from(index).expect("a type has fewer than 2^32 fields");
    code!(fields.at(#entry))
}

fn decorated(entry: &TokenStream, role: Option<&Ident>, leaf: bool) -> TokenStream {
    let role = role.map(|role| code!(.role(__memprof::Role::#role)));
    let leaf = leaf.then(|| code!(.leaf()));
    code!(#entry #role #leaf)
}
