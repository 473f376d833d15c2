//! Wrong words and values of `#[track]`.

const NAME: &str = "load";

//~ error: the path needs no quotes: write `crate = memprof`
#[memprof::track(crate = "memprof")]
fn crate_in_quotes() {}

//~ error: a name cannot be empty: write one, or remove `name` to use that of the function
#[memprof::track(name = "")]
fn empty_name() {}

//~ error: a name cannot contain `;`, which separates the frames of a path: write it without
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

//~ error: a name needs `name =` before it: write `name = "load"`
#[memprof::track("load")]
fn text_without_word() {}

//~ error: `name` is given twice: remove one of them
#[memprof::track(name = "load", name = "store")]
fn twice() {}

//~ error: unknown word `skip`: on a function write one of `name`, `crate`
#[memprof::track(skip)]
fn unknown_word() {}

//~ error: unknown word `rename`: did you mean `name`?
#[memprof::track(rename = "other")]
fn word_of_the_derive() {}

//~ error: unknown word `nam`: did you mean `name`?
//~ error: `crate` needs a path: write `crate = path::to::memprof`
#[memprof::track(nam = "load" name = "", crate = 5)]
//~ error: a `const fn` can't be tracked, as it may run in the compiler: remove `const`, or write `let _operation = memprof::operation!("name");` where it is called
const fn several_mistakes() {}
