//! `#[profile(...)]` and `#[track(...)]`: their words, each with the items that it is allowed on, its
//! value and the words that it excludes, and the reader, which returns one entry per word.

use crate::diagnostics::{Errors, nearest};
use core::fmt;
use proc_macro2::{Span, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::token::Paren;
use syn::{Attribute, Ident, LitInt, LitStr, Meta, Path, Token, parenthesized};

/// One word. `PROFILE` and `TRACK` are the only lists of the words.
pub(crate) struct Word {
    pub(crate) name: &'static str,
    pub(crate) targets: &'static [Target],
    pub(crate) form: Form,
    /// An example of its use, for error messages.
    pub(crate) usage: &'static str,
    /// The words that this word cannot be combined with, each with the reason.
    pub(crate) excludes: &'static [(&'static str, &'static str)],
}

/// The items that an attribute can be on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Type,
    Variant,
    Field,
    /// The only item of `#[track]`.
    Function,
}

/// The value that a word takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Nothing.
    Alone,
    /// `= "text"`.
    Text,
    /// `= path`.
    Path,
    /// Nothing, or `(cap = N)`.
    Cap,
}

const NOT_VISITED: &str = "a skipped field is not visited";
const SAME_CHOICE: &str = "both choose how the field is visited";
const NO_IMPL: &str = "the mirror of a type of another crate has no impl of its own";
const ADDED_TWICE: &str = "`leaf` would add up the entries again";

const TYPE: &[Target] = &[Target::Type];
const FIELD: &[Target] = &[Target::Field];

pub(crate) const SKIP: Word = Word::new("skip", FIELD, Form::Alone, "skip").without(&[
    ("leaf", NOT_VISITED),
    ("with", NOT_VISITED),
    ("each", NOT_VISITED),
    ("keyed", NOT_VISITED),
    ("follow", NOT_VISITED),
]);
pub(crate) const LEAF: Word =
    Word::new("leaf", FIELD, Form::Alone, "leaf").without(&[("keyed", ADDED_TWICE)]);
pub(crate) const RENAME: Word = Word::new(
    "rename",
    &[Target::Type, Target::Variant, Target::Field],
    Form::Text,
    "rename = \"name\"",
);
pub(crate) const WITH: Word = Word::new("with", FIELD, Form::Path, "with = path::to::function")
    .without(&[("each", SAME_CHOICE), ("keyed", SAME_CHOICE), ("follow", SAME_CHOICE)]);
pub(crate) const EACH: Word = Word::new("each", FIELD, Form::Path, "each = path::to::function")
    .without(&[("keyed", SAME_CHOICE), ("follow", SAME_CHOICE)]);
pub(crate) const ROLE: Word =
    Word::new("role", &[Target::Variant, Target::Field], Form::Text, "role = \"metadata\"");
pub(crate) const KEYED: Word = Word::new("keyed", FIELD, Form::Cap, "keyed` or `keyed(cap = 20)")
    .without(&[("follow", SAME_CHOICE)]);
pub(crate) const FOLLOW: Word = Word::new("follow", FIELD, Form::Alone, "follow");
pub(crate) const SHAREABLE: Word = Word::new("shareable", TYPE, Form::Alone, "shareable");
pub(crate) const BOUND: Word =
    Word::new("bound", TYPE, Form::Text, "bound = \"T: memprof::MemoryProfile\"");
pub(crate) const CRATE: Word =
    Word::new("crate", &[Target::Type, Target::Function], Form::Path, "crate = path::to::memprof");
pub(crate) const NAME: Word = Word::new("name", &[Target::Function], Form::Text, "name = \"load\"");
pub(crate) const REMOTE: Word =
    Word::new("remote", TYPE, Form::Text, "remote = \"path::to::Type\"")
        .without(&[("rename", NO_IMPL), ("shareable", NO_IMPL)]);

/// The words of `#[profile]`.
const PROFILE: [&Word; 12] = [
    &SKIP, &LEAF, &RENAME, &WITH, &EACH, &ROLE, &KEYED, &FOLLOW, &SHAREABLE, &BOUND, &CRATE,
    &REMOTE,
];

/// The words of `#[track]`.
const TRACK: [&Word; 2] = [&NAME, &CRATE];

/// Words of other macros, each with the word that is suggested for it.
pub(crate) const SYNONYMS: [(&str, &Word); 7] = [
    ("ignore", &SKIP),
    ("name", &RENAME),
    ("rename", &NAME),
    ("function", &WITH),
    ("elements", &EACH),
    ("flat", &LEAF),
    ("deref", &FOLLOW),
];

impl Word {
    const fn new(
        name: &'static str,
        targets: &'static [Target],
        form: Form,
        usage: &'static str,
    ) -> Self {
        Self { name, targets, form, usage, excludes: &[] }
    }

    const fn without(mut self, excludes: &'static [(&'static str, &'static str)]) -> Self {
        self.excludes = excludes;
        self
    }

    pub(crate) fn is_allowed_on(&self, target: Target) -> bool {
        self.targets.contains(&target)
    }
}

impl PartialEq for Word {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Target {
    /// Returns the words of the attribute that is on such items.
    pub(crate) fn words(self) -> &'static [&'static Word] {
        if self == Self::Function { &TRACK } else { &PROFILE }
    }

    fn find(self, name: &str) -> Option<&'static Word> {
        self.words().iter().copied().find(|word| word.name == name)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Type => "a type",
            Self::Variant => "a variant",
            Self::Field => "a field",
            Self::Function => "a function",
        })
    }
}

/// One word of an attribute, with its value.
pub(crate) struct Entry {
    pub(crate) word: &'static Word,
    pub(crate) span: Span,
    pub(crate) value: Value,
}

/// The value of a word. The word's [`Form`] determines the variant.
pub(crate) enum Value {
    None,
    Text(LitStr),
    Path(Path),
    Cap(LitInt),
}

impl Entry {
    pub(crate) fn text(&self) -> Option<&LitStr> {
        if let Value::Text(text) = &self.value { Some(text) } else { None }
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        if let Value::Path(path) = &self.value { Some(path) } else { None }
    }
}

/// Returns the entry of `word`, if there is one.
pub(crate) fn find<'e>(entries: &'e [Entry], word: &Word) -> Option<&'e Entry> {
    entries.iter().find(|entry| entry.word == word)
}

/// Reads the entries of all `#[profile(...)]` among `attributes`, each word once.
pub(crate) fn read(attributes: &[Attribute], target: Target, errors: &mut Errors) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("profile")) {
        let words = match &attribute.meta {
            Meta::List(list) if !list.tokens.is_empty() => list,
            meta => {
                let example = if target == Target::Type {
                    "rename = \"Name\""
                } else {
                    "role = \"metadata\""
                };
                errors.at(meta.span(), format!("expected a list, such as `#[profile({example})]`"));
                continue;
            }
        };
        let parser = |input: ParseStream<'_>| {
            read_list(input, target, &mut entries, errors);
            Ok(())
        };
        if let Err(error) = words.parse_args_with(parser) {
            errors.add(error);
        }
    }
    entries
}

/// Reads the entries to the end of the list, and continues after errors.
pub(crate) fn read_list(
    input: ParseStream<'_>,
    target: Target,
    entries: &mut Vec<Entry>,
    errors: &mut Errors,
) {
    while !input.is_empty() {
        match read_entry(input, target) {
            Ok(entry) => match find(entries, entry.word) {
                Some(_) => {
                    errors.at(entry.span, format!("duplicate attribute `{}`", entry.word.name));
                }
                None => entries.push(entry),
            },
            Err(error) => {
                errors.add(error);
                skip_to_comma(input);
            }
        }
        if !input.is_empty() && input.parse::<Token![,]>().is_err() {
            let attribute = if target == Target::Function { "track" } else { "profile" };
            let message = format!("expected `,` between the arguments of `#[{attribute}(...)]`");
            errors.add(input.error(message));
            skip_to_comma(input);
        }
    }
}

/// Advances `input` to the next comma outside groups, or to the end.
fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        if input.parse::<TokenTree>().is_err() {
            return;
        }
    }
}

fn read_entry(input: ParseStream<'_>, target: Target) -> syn::Result<Entry> {
    let ident = read_ident(input, target)?;
    let name = ident.unraw().to_string();
    let span = ident.span();
    let word = target.find(&name).ok_or_else(|| unknown(&ident, target))?;
    if !word.is_allowed_on(target) {
        return Err(syn::Error::new(span, wrong_target(word, target)));
    }
    let value = match word.form {
        Form::Alone if input.peek(Token![=]) || input.peek(Paren) => {
            return Err(syn::Error::new(
                span,
                format!("`{name}` takes no value: write `{}`", word.usage),
            ));
        }
        Form::Alone => Value::None,
        Form::Text => Value::Text(read_text(input, word, span)?),
        Form::Path => Value::Path(read_path(input, word, span)?),
        Form::Cap => read_cap(input, word, span)?,
    };
    Ok(Entry { word, span, value })
}

fn read_ident(input: ParseStream<'_>, target: Target) -> syn::Result<Ident> {
    let example = target.words()[0];
    if let Ok(text) = input.fork().parse::<LitStr>() {
        let text = text.value();
        return Err(input.error(match target.find(&text) {
            Some(word) => format!("`{}` needs no quotes: write `{}`", word.name, word.usage),
            None if example == &NAME => {
                format!("expected `name = \"{text}\"`")
            }
            None => format!("expected an attribute such as `{}`, without quotes", example.name),
        }));
    }
    let message = format!("expected an attribute such as `{}`", example.usage);
    input.call(Ident::parse_any).map_err(|_| input.error(message))
}

fn read_text(input: ParseStream<'_>, word: &Word, span: Span) -> syn::Result<LitStr> {
    read_equals(input, word, span)?;
    let found = if input.is_empty() { span } else { input.span() };
    input.parse().map_err(|_| {
        let message = format!("`{}` needs a string in quotes: write `{}`", word.name, word.usage);
        syn::Error::new(found, message)
    })
}

fn read_path(input: ParseStream<'_>, word: &Word, span: Span) -> syn::Result<Path> {
    read_equals(input, word, span)?;
    if let Ok(text) = input.fork().parse::<LitStr>() {
        let path = text.value();
        let message = format!("expected a path without quotes: `{} = {path}`", word.name);
        return Err(syn::Error::new(text.span(), message));
    }
    let found = if input.is_empty() { span } else { input.span() };
    // A function may need generic arguments, but a module never does.
    let path = if word == &CRATE { input.call(Path::parse_mod_style) } else { input.parse() };
    path.map_err(|_| {
        syn::Error::new(found, format!("`{}` needs a path: write `{}`", word.name, word.usage))
    })
}

fn read_equals(input: ParseStream<'_>, word: &Word, span: Span) -> syn::Result<()> {
    match input.parse::<Token![=]>() {
        Ok(_) => Ok(()),
        Err(_) => Err(syn::Error::new(
            span,
            format!("`{}` needs a value: write `{}`", word.name, word.usage),
        )),
    }
}

/// Reads `(cap = N)`, or nothing.
fn read_cap(input: ParseStream<'_>, word: &Word, span: Span) -> syn::Result<Value> {
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(Value::None);
    }
    let error = |span| syn::Error::new(span, format!("expected `{}`", word.usage));
    if !input.peek(Paren) {
        return Err(error(span));
    }
    let content;
    parenthesized!(content in input);
    let list = content.cursor().token_stream();
    let at = if list.is_empty() { span } else { list.span() };
    let cap: LitInt = (|| {
        let key: Ident = content.call(Ident::parse_any)?;
        content.parse::<Token![=]>()?;
        let cap = content.parse()?;
        if key == "cap" && content.is_empty() { Ok(cap) } else { Err(content.error("")) }
    })()
    .map_err(|_: syn::Error| {
        // Otherwise syn reports another error about the rest of the parentheses.
        while content.parse::<TokenTree>().is_ok() {}
        error(at)
    })?;
    Ok(Value::Cap(cap))
}

fn unknown(ident: &Ident, target: Target) -> syn::Error {
    let typed = ident.unraw();
    let words = target.words().iter().filter(|word| word.is_allowed_on(target));
    let list: Vec<String> = words.map(|word| format!("`{}`", word.name)).collect();
    let message = match nearest(&typed.to_string(), target) {
        Some(word) => format!("unknown attribute `{typed}`; did you mean `{}`?", word.name),
        None => {
            format!("unknown attribute `{typed}` on {target}; expected one of {}", list.join(", "))
        }
    };
    syn::Error::new_spanned(ident.to_token_stream(), message)
}

fn wrong_target(word: &Word, target: Target) -> String {
    // `#[track]` takes words of its own.
    let targets = word.targets.iter().filter(|target| **target != Target::Function);
    let targets: Vec<String> = targets.map(ToString::to_string).collect();
    format!("`{}` is only allowed on {}, not on {target}", word.name, targets.join(" or "))
}
