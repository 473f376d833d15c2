//! Names that a profile cannot have.

use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Fields {
    //~ error: a name cannot be empty; remove `rename` to keep the name in the code
    #[profile(rename = "")]
    empty: Vec<u8>,
    //~ error: a name cannot contain brackets, which mark memprof's own frames such as `[padding]`
    #[profile(rename = "[data]")]
    brackets: Vec<u8>,
    //~ error: a name cannot contain control characters
    #[profile(rename = "a\nb")]
    newline: Vec<u8>,
    //~ error: a name cannot contain `;`, which separates the frames of a path
    #[profile(rename = "a;b")]
    semicolon: Vec<u8>,
    //~ error: a name cannot begin or end with a space
    #[profile(rename = "a ")]
    space_at_end: Vec<u8>,
}

#[derive(MemoryProfile)]
//~ error: the name of a type cannot contain `:`, `<` or a space; use one word, or name the root with `Profile::named`
#[profile(rename = "a::b")]
struct Path;

#[derive(MemoryProfile)]
enum Variants {
    //~ error: a name cannot contain brackets, which mark memprof's own frames such as `[padding]`
    #[profile(rename = "[Values]")]
    Brackets(Vec<u8>),
}
