//! The macro [`compiler`], through which a test calls the compiler on its own dependencies.

use proc_macro::TokenStream;

/// The options that select the dependencies, and the target and edition that they are used with.
const KEPT: [&str; 5] = ["-L", "--edition", "--extern", "--sysroot", "--target"];

/// Expands to a `&[&str]`: the compiler that expands it, and the options that cargo gave it to find
/// the dependencies.
///
/// With them, a test compiles a file against its own dependencies. No other source has their paths:
/// the names of the files contain hashes.
#[proc_macro]
#[expect(clippy::missing_panics_doc, reason = "a panic is an error of the compiler")]
pub fn compiler(_: TokenStream) -> TokenStream {
    let path = std::env::current_exe().expect("the compiler has a path");
    let mut command = vec![path.into_os_string().into_string().expect("the path is UTF-8")];
    let mut arguments = std::env::args();
    while let Some(argument) = arguments.next() {
        let option = argument.split('=').next().unwrap_or_default();
        if KEPT.contains(&option) {
            let value = if option == argument { arguments.next() } else { None };
            command.push(argument);
            command.extend(value);
        }
    }
    format!("&{command:?}").parse().expect("a slice of strings is an expression")
}
