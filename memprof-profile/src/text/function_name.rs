//! Names of functions without type arguments, and calls of macros.

use crate::text::cut;

/// Returns a function's name without type arguments: `<Vec<u8> as Clone>::clone` becomes
/// `<Vec<…> as Clone>::clone`, and `new::<u8>` becomes `new`.
pub fn short_function(name: &str) -> String {
    let mut short = String::with_capacity(name.len());
    let mut depth = 0_u32;
    let mut previous = ' ';
    for char in name.chars() {
        let is_arrow = previous == '-' && char == '>';
        // An angle bracket at the start of a path encloses a type; after a name, its arguments.
        let begins_path = matches!(previous, ' ' | '<' | '&' | '(' | '[' | ',' | '*');
        match char {
            '<' if depth > 0 || !begins_path => {
                if depth == 0 {
                    let is_turbofish = short.ends_with("::");
                    short.truncate(short.trim_end_matches(':').len());
                    if !is_turbofish {
                        short.push_str("<…>");
                    }
                }
                depth += 1;
            }
            '>' if depth > 0 && !is_arrow => depth -= 1,
            _ if depth == 0 => short.push(char),
            _ => {}
        }
        previous = char;
    }
    // The arguments of a function itself are at the end.
    match short.strip_suffix("<…>") {
        Some(function) => function.to_owned(),
        None => short,
    }
}

/// Returns a call of a macro, such as `assert_budget!(model)`, on one line. A long argument is cut.
///
/// ```
/// use memprof_profile::text::macro_call;
///
/// assert_eq!(macro_call("report", "Model {\n    size: 1 }"), "report!(Model { size: 1 })");
/// ```
pub fn macro_call(name: &str, argument: &str) -> String {
    let words: Vec<&str> = argument.split_whitespace().collect();
    format!("{name}!({})", cut(&words.join(" "), 40))
}

#[cfg(test)]
mod tests {
    use super::short_function;

    #[test]
    fn type_arguments_are_left_out_of_names() {
        for (name, expected) in [
            ("app::new::<u64>", "app::new"),
            ("app::new<u64, fn() -> u8>", "app::new"),
            (
                "<alloc::vec::Vec<u8> as core::clone::Clone>::clone",
                "<alloc::vec::Vec<…> as core::clone::Clone>::clone",
            ),
            ("<T as app::Convert<u8>>::convert", "<T as app::Convert<…>>::convert"),
            ("app::Cache<K, V>::get::{{closure}}", "app::Cache<…>::get::{{closure}}"),
            ("<<A as B<u8>>::C as D>::e", "<<A as B<…>>::C as D>::e"),
            ("<&[T] as app::Join<&str>>::join", "<&[T] as app::Join<…>>::join"),
            ("app::unclosed<u8", "app::unclosed"),
            ("malloc", "malloc"),
            ("", ""),
        ] {
            assert_eq!(short_function(name), expected, "{name}");
        }
    }
}
