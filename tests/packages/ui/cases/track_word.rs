//! Wrong words and values of `#[track]`.

const NAME: &str = "load";

//~ error: expected a path without quotes: `crate = memprof`
#[memprof::track(crate = "memprof")]
fn crate_in_quotes() {}

//~ error: a name cannot be empty; remove `name` to use that of the function
#[memprof::track(name = "")]
fn empty_name() {}

//~ error: a name cannot contain `;`, which separates the frames of a path
#[memprof::track(name = "load;store")]
fn name_with_semicolon() {}

//~ error: `name` needs a string in quotes: write `name = "load"`
#[memprof::track(name = NAME)]
fn name_of_a_constant() {}

//~ error: `name` needs a string in quotes: write `name = "load"`
#[memprof::track(name = 5)]
fn number() {}

//~ error: `name` needs a string in quotes: write `name = "load"`
#[memprof::track(name = )]
fn name_with_nothing() {}

//~ error: `name` needs a value: write `name = "load"`
#[memprof::track(name)]
fn name_without_value() {}

//~ error: `name` needs a value: write `name = "load"`
#[memprof::track(name("load"))]
fn name_in_parentheses() {}

//~ error: expected `name = "load"`
#[memprof::track("load")]
fn text_without_word() {}

//~ error: duplicate attribute `name`
#[memprof::track(name = "load", name = "store")]
fn twice() {}

//~ error: unknown attribute `skip` on a function; expected one of `name`, `crate`
#[memprof::track(skip)]
fn unknown_word() {}

//~ error: unknown attribute `rename`; did you mean `name`?
#[memprof::track(rename = "other")]
fn word_of_the_derive() {}

//~ error: unknown attribute `nam`; did you mean `name`?
//~ error: `crate` needs a path: write `crate = path::to::memprof`
#[memprof::track(nam = "load" name = "", crate = 5)]
//~ error: a `const fn` cannot be tracked, because it may run at compile time; remove `const`, or write `let _operation = memprof::operation!("name");` at the call
const fn several_mistakes() {}
