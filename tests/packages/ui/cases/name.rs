//! Names that a profile cannot have.

use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Fields {
    //~ error: a name cannot be empty: write one, or remove `rename` to keep the name in the code
    #[profile(rename = "")]
    empty: Vec<u8>,
    //~ error: a name cannot contain brackets, which mark memprof's own frames such as `[padding]`: write it without
    #[profile(rename = "[data]")]
    brackets: Vec<u8>,
    //~ error: a name cannot contain control characters: write it on one line
    #[profile(rename = "a\nb")]
    newline: Vec<u8>,
    //~ error: a name cannot contain `;`, which separates the frames of a path: write it without
    #[profile(rename = "a;b")]
    semicolon: Vec<u8>,
    //~ error: a name cannot begin or end with a space: write it without
    #[profile(rename = "a ")]
    space_at_end: Vec<u8>,
}

#[derive(MemoryProfile)]
//~ error: the name of a type cannot contain `:`, `<` or a space: write one word, or name the root with `Profile::named`
#[profile(rename = "a::b")]
struct Path;

#[derive(MemoryProfile)]
enum Variants {
    //~ error: a name cannot contain brackets, which mark memprof's own frames such as `[padding]`: write it without
    #[profile(rename = "[Values]")]
    Brackets(Vec<u8>),
}
