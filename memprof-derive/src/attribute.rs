//! `#[profile(...)]` and `#[track(...)]`: their words, each with the items that it is allowed on, its
//! value and the words that it excludes; the reader of words; and what a user reads if one is wrong:
//! all errors at once, and suggestions for misspelled words.

use core::fmt::{self, Display};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::token::Paren;
use syn::{Attribute, Ident, LitInt, LitStr, Meta, Path, Token, parenthesized};

/// One word. `PROFILE` and `TRACK` are the only lists of the words.
pub(crate) struct Word {
    name: &'static str,
    targets: &'static [Target],
    form: Form,
    /// An example of its use, for error messages.
    pub(crate) usage: &'static str,
    /// The words that this word cannot be combined with, and the reason.
    excludes: (&'static [&'static str], &'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Type,
    Variant,
    Field,
    /// The only item of `#[track]`.
    Function,
}

#[derive(Clone, Copy)]
enum Form {
    /// Nothing.
    Alone,
    /// `= "text"`.
    Text,
    /// `= path`.
    Path,
    /// Nothing, or `(cap = N)`.
    Cap,
}

const TYPE: &[Target] = &[Target::Type];
const FIELD: &[Target] = &[Target::Field];
const SAME_CHOICE: &str = "both choose how the field is visited";

pub(crate) const SKIP: Word = Word::new("skip", FIELD, Form::Alone, "skip")
    .without(&["leaf", "with", "each", "keyed", "follow"], "a skipped field is not visited");
pub(crate) const LEAF: Word = Word::new("leaf", FIELD, Form::Alone, "leaf")
    .without(&["keyed"], "`leaf` would add up the entries again");
pub(crate) const RENAME: Word = Word::new(
    "rename",
    &[Target::Type, Target::Variant, Target::Field],
    Form::Text,
    "rename = \"name\"",
);
pub(crate) const WITH: Word = Word::new("with", FIELD, Form::Path, "with = path::to::function")
    .without(&["each", "keyed", "follow"], SAME_CHOICE);
pub(crate) const EACH: Word = Word::new("each", FIELD, Form::Path, "each = path::to::function")
    .without(&["keyed", "follow"], SAME_CHOICE);
pub(crate) const ROLE: Word =
    Word::new("role", &[Target::Variant, Target::Field], Form::Text, "role = \"metadata\"");
pub(crate) const KEYED: Word = Word::new("keyed", FIELD, Form::Cap, "keyed` or `keyed(cap = 20)")
    .without(&["follow"], SAME_CHOICE);
pub(crate) const FOLLOW: Word = Word::new("follow", FIELD, Form::Alone, "follow");
pub(crate) const SHAREABLE: Word = Word::new("shareable", TYPE, Form::Alone, "shareable");
pub(crate) const BOUND: Word =
    Word::new("bound", TYPE, Form::Text, "bound = \"T: memprof::MemoryProfile\"");
pub(crate) const CRATE: Word =
    Word::new("crate", &[Target::Type, Target::Function], Form::Path, "crate = path::to::memprof");
pub(crate) const NAME: Word = Word::new("name", &[Target::Function], Form::Text, "name = \"load\"");
pub(crate) const REMOTE: Word =
    Word::new("remote", TYPE, Form::Text, "remote = \"path::to::Type\"").without(
        &["rename", "shareable"],
        "a mirror of another crate's type has no impl of its own",
    );

const PROFILE: [&Word; 12] = [
    &SKIP, &LEAF, &RENAME, &WITH, &EACH, &ROLE, &KEYED, &FOLLOW, &SHAREABLE, &BOUND, &CRATE,
    &REMOTE,
];

const TRACK: [&Word; 2] = [&NAME, &CRATE];

/// Words of other macros, each with the word that is suggested for it.
const SYNONYMS: [(&str, &Word); 7] = [
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
        Self { name, targets, form, usage, excludes: (&[], "") }
    }

    const fn without(mut self, words: &'static [&'static str], reason: &'static str) -> Self {
        self.excludes = (words, reason);
        self
    }

    fn needs(&self, what: &str, span: Span) -> syn::Error {
        syn::Error::new(span, format!("`{}` needs {what}: write `{}`", self.name, self.usage))
    }
}

impl PartialEq for Word {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Target {
    fn words(self) -> &'static [&'static Word] {
        if self == Self::Function { &TRACK } else { &PROFILE }
    }

    fn allowed(self) -> impl Iterator<Item = &'static Word> {
        self.words().iter().copied().filter(move |word| word.targets.contains(&self))
    }

    fn find(self, name: &str) -> Option<&'static Word> {
        self.words().iter().copied().find(|word| word.name == name)
    }

    /// Returns the allowed word that is most similar to `typed`, if one is similar enough.
    fn nearest(self, typed: &str) -> Option<&'static Word> {
        let synonyms = SYNONYMS.into_iter().filter(|(name, _)| *name == typed);
        let synonym = synonyms.map(|(_, word)| word).find(|word| word.targets.contains(&self));
        synonym.or_else(|| {
            let word = self.allowed().min_by_key(|word| distance(typed, word.name))?;
            // Two typos in a word of four to six letters.
            (distance(typed, word.name) <= word.name.len().div_ceil(3)).then_some(word)
        })
    }
}

impl Display for Target {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Type => "a type",
            Self::Variant => "a variant",
            Self::Field => "a field",
            Self::Function => "a function",
        })
    }
}

/// Returns the number of letters to add, remove, change or swap with a neighbour.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=to.len()).collect()];
    for i in 1..=from.len() {
        let mut row = vec![i];
        for j in 1..=to.len() {
            let changed = rows[i - 1][j - 1] + usize::from(from[i - 1] != to[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}

/// The errors found so far, as one.
#[derive(Default)]
#[must_use]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    pub(crate) fn at(&mut self, span: Span, message: impl Display) {
        self.add(syn::Error::new(span, message));
    }

    pub(crate) fn on(&mut self, tokens: &impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(tokens, message));
    }

    pub(crate) fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            None => self.0 = Some(error),
        }
    }

    pub(crate) fn check(self) -> syn::Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}

/// The words of an item's attributes, each once, with their values.
#[derive(Default)]
pub(crate) struct Entries(Vec<Entry>);

struct Entry {
    word: &'static Word,
    span: Span,
    value: Value,
}

/// The word's [`Form`] determines the variant.
enum Value {
    None,
    Text(LitStr),
    Path(Path),
    Cap(LitInt),
}

impl Entries {
    pub(crate) fn read(attributes: &[Attribute], target: Target, errors: &mut Errors) -> Self {
        let mut entries = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("profile"))
        {
            let list = match &attribute.meta {
                Meta::List(list) if !list.tokens.is_empty() => list,
                meta => {
                    let is_type = target == Target::Type;
                    let example = if is_type { RENAME.usage } else { ROLE.usage };
                    let message = format!("expected a list, such as `#[profile({example})]`");
                    errors.at(meta.span(), message);
                    continue;
                }
            };
            entries.read_list(list.tokens.clone(), target, errors);
        }
        entries
    }

    /// Continues after errors.
    pub(crate) fn read_list(&mut self, list: TokenStream, target: Target, errors: &mut Errors) {
        let parser = |input: ParseStream<'_>| {
            while !input.is_empty() {
                if let Err(error) = self.read_entry(input, target) {
                    errors.add(error);
                    skip_to_comma(input);
                }
                if !input.is_empty() && input.parse::<Token![,]>().is_err() {
                    let attribute = if target == Target::Function { "track" } else { "profile" };
                    let message =
                        format!("expected `,` between the arguments of `#[{attribute}(...)]`");
                    errors.add(input.error(message));
                    skip_to_comma(input);
                }
            }
            Ok(())
        };
        parser.parse2(list).expect("all tokens are read");
    }

    fn read_entry(&mut self, input: ParseStream<'_>, target: Target) -> syn::Result<()> {
        let entry = read_entry(input, target)?;
        if self.has(entry.word) {
            let message = format!("duplicate attribute `{}`", entry.word.name);
            return Err(syn::Error::new(entry.span, message));
        }
        self.0.push(entry);
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn has(&self, word: &Word) -> bool {
        self.get(word).is_some()
    }

    pub(crate) fn span(&self, word: &Word) -> Option<Span> {
        Some(self.get(word)?.span)
    }

    pub(crate) fn text(&self, word: &Word) -> Option<&LitStr> {
        if let Value::Text(text) = &self.get(word)?.value { Some(text) } else { None }
    }

    pub(crate) fn path(&self, word: &Word) -> Option<&Path> {
        if let Value::Path(path) = &self.get(word)?.value { Some(path) } else { None }
    }

    pub(crate) fn cap(&self, word: &Word) -> Option<&LitInt> {
        if let Value::Cap(cap) = &self.get(word)?.value { Some(cap) } else { None }
    }

    fn get(&self, word: &Word) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.word == word)
    }

    /// Each pair is one error, at the later word.
    pub(crate) fn check_exclusions(&self, errors: &mut Errors) {
        for (index, later) in self.0.iter().enumerate() {
            for earlier in &self.0[..index] {
                let (one, other) = (later.word, earlier.word);
                let excluded = [(one, other), (other, one)]
                    .into_iter()
                    .find(|(word, other)| word.excludes.0.contains(&other.name));
                if let Some((word, _)) = excluded {
                    let (one, other, reason) = (one.name, other.name, word.excludes.1);
                    let message =
                        format!("`{one}` cannot be combined with `{other}`, because {reason}");
                    errors.at(later.span, message);
                }
            }
        }
    }

    /// Reports a name and a role on an item that has no line of its own.
    pub(crate) fn check_effect(&self, [on, reason, whole]: [&str; 3], errors: &mut Errors) {
        for entry in [&RENAME, &ROLE].into_iter().filter_map(|word| self.get(word)) {
            let word = entry.word.name;
            let message = format!(
                "`{word}` has no effect on {on} that owns nothing, because {reason}; remove it, or \
                 set `{word}` where {whole} is a field"
            );
            errors.at(entry.span, message);
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
    if !word.targets.contains(&target) {
        return Err(syn::Error::new(span, wrong_target(word, target)));
    }
    let value = match word.form {
        Form::Alone if input.peek(Token![=]) || input.peek(Paren) => {
            let message = format!("`{name}` takes no value: write `{}`", word.usage);
            return Err(syn::Error::new(span, message));
        }
        Form::Alone => Value::None,
        Form::Text => {
            let found = read_equals(input, word, span)?;
            Value::Text(input.parse().map_err(|_| word.needs("a string in quotes", found))?)
        }
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
            None if example == &NAME => format!("expected `name = \"{text}\"`"),
            None => format!("expected an attribute such as `{}`, without quotes", example.name),
        }));
    }
    let message = format!("expected an attribute such as `{}`", example.usage);
    input.call(Ident::parse_any).map_err(|_| input.error(message))
}

fn read_path(input: ParseStream<'_>, word: &Word, span: Span) -> syn::Result<Path> {
    let found = read_equals(input, word, span)?;
    if let Ok(text) = input.fork().parse::<LitStr>() {
        let path = text.value();
        let message = format!("expected a path without quotes: `{} = {path}`", word.name);
        return Err(syn::Error::new(text.span(), message));
    }
    // A function may need generic arguments, but a module never does.
    let path = if word == &CRATE { input.call(Path::parse_mod_style) } else { input.parse() };
    path.map_err(|_| word.needs("a path", found))
}

/// Reads `=`, and returns the span of the value, or that of the word if there is none.
fn read_equals(input: ParseStream<'_>, word: &Word, span: Span) -> syn::Result<Span> {
    input.parse::<Token![=]>().map_err(|_| word.needs("a value", span))?;
    Ok(if input.is_empty() { span } else { input.span() })
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
    let list: TokenStream = content.parse()?;
    let at = if list.is_empty() { span } else { list.span() };
    let cap = |list: ParseStream<'_>| {
        let key = list.call(Ident::parse_any)?;
        list.parse::<Token![=]>()?;
        if key == "cap" { list.parse() } else { Err(list.error("another key")) }
    };
    cap.parse2(list).map(Value::Cap).map_err(|_| error(at))
}

fn unknown(ident: &Ident, target: Target) -> syn::Error {
    let typed = ident.unraw();
    let list: Vec<String> = target.allowed().map(|word| format!("`{}`", word.name)).collect();
    let message = match target.nearest(&typed.to_string()) {
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

/// Returns what is wrong with a frame's name and what to write instead, or `None` if the name is
/// valid.
pub(crate) fn name_problem(name: &str, target: Target) -> Option<&'static str> {
    // The root is named after the last segment of the type's name, without its generic arguments.
    let is_word = target != Target::Type || !name.contains(['<', ' ', ':']);
    let problems = [
        (name.is_empty(), "a name cannot be empty; remove `rename` to keep the name in the code"),
        (
            name.contains(['[', ']']),
            "a name cannot contain brackets, which mark memprof's own frames such as `[padding]`",
        ),
        (name.contains(';'), "a name cannot contain `;`, which separates the frames of a path"),
        (name.contains(char::is_control), "a name cannot contain control characters"),
        (name.trim() != name, "a name cannot begin or end with a space"),
        (
            !is_word,
            "the name of a type cannot contain `:`, `<` or a space; use one word, or name the root with `Profile::named`",
        ),
    ];
    problems.into_iter().find_map(|(is_wrong, problem)| is_wrong.then_some(problem))
}

#[cfg(test)]
mod tests {
    use super::{Target, distance};

    #[test]
    fn a_misspelled_word_has_a_suggestion() {
        let word = |typed, target: Target| target.nearest(typed).map(|word| word.name);
        assert_eq!(word("skp", Target::Field), Some("skip"));
        assert_eq!(word("laef", Target::Field), Some("leaf"));
        assert_eq!(word("renmae", Target::Type), Some("rename"));
        assert_eq!(word("ignore", Target::Field), Some("skip"));
        assert_eq!(word("skip_serializing", Target::Field), None);
        assert_eq!(word("skp", Target::Type), None);
    }

    #[test]
    fn a_swap_is_one_edit() {
        assert_eq!(distance("laef", "leaf"), 1);
        assert_eq!(distance("", "leaf"), 4);
        assert_eq!(distance("keyed", "keyed"), 0);
    }
}
