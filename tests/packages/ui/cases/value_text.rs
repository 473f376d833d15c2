//! Wrong values of the words that take a text.

use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Fields {
    //~ error: `rename` needs a value: write `rename = "name"`
    #[profile(rename("other"))]
    rename_in_parentheses: Vec<u8>,
    //~ error: `rename` needs a string in quotes: write `rename = "name"`
    #[profile(rename = )]
    rename_with_nothing: Vec<u8>,
    //~ error: `rename` needs a string in quotes: write `rename = "name"`
    #[profile(rename = other)]
    rename_without_quotes: Vec<u8>,
    //~ error: `rename` needs a value: write `rename = "name"`
    #[profile(rename)]
    rename_without_value: Vec<u8>,
    //~ error: unknown role `overhead`; expected `role = "data"`, `role = "metadata"` or `role = "auxiliary"`
    #[profile(role = "overhead")]
    role_unknown: Vec<u8>,
    //~ error: `role` needs a string in quotes: write `role = "metadata"`
    #[profile(role = metadata)]
    role_without_quotes: Vec<u8>,
}

#[derive(MemoryProfile)]
//~ error: expected bounds as in a `where` clause (expected `:`), such as `bound = "T: memprof::MemoryProfile"`
#[profile(bound = "T")]
struct BoundNotAPredicate<T>(Vec<T>);

#[derive(MemoryProfile)]
//~ error: `bound` needs a string in quotes: write `bound = "T: memprof::MemoryProfile"`
#[profile(bound = T: Clone)]
struct BoundWithoutQuotes<T>(Vec<T>);

#[derive(MemoryProfile)]
//~ error: `bound` needs a value: write `bound = "T: memprof::MemoryProfile"`
#[profile(bound)]
struct BoundWithoutValue<T>(Vec<T>);
