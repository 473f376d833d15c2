//! The types of the page's script, generated from the types of the page's contents.

use super::contents::{Document, Head, NodeKind};
use std::collections::BTreeMap;
use ts_rs::{Config, TS, TypeVisitor};

/// Sorted, because the order in which a type refers to others differs between builds.
#[derive(Default)]
struct Declarations(BTreeMap<String, String>);

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        let config = Config::new().with_large_int("number");
        if T::output_path().is_some() {
            let text = T::docs().unwrap_or_default() + &T::decl(&config);
            if self.0.insert(T::ident(&config), laid_out(&text)).is_some() {
                return;
            }
        }
        T::visit_dependencies(self);
    }
}

/// Writes each field and each short comment on one line.
fn laid_out(declaration: &str) -> String {
    let mut text = String::new();
    let mut indent = "  ";
    let mut add = |indent: &str, line: &str| {
        if !line.is_empty() {
            text.extend([indent, line, "\n"]);
        }
    };
    let short = declaration.replace("/**\n * ", "/** ").replace("\n */", " */");
    for line in short.lines() {
        let mut fields = line.trim_end();
        if line.starts_with("/*") || line.starts_with(" *") {
            add(indent, line);
            continue;
        }
        if let Some((name, inside)) = line.split_once(" = { ") {
            add(indent, &format!("{name} = {{"));
            (indent, fields) = ("    ", inside.trim_end());
        }
        let (fields, end) = fields.strip_suffix(" };").map_or((fields, ""), |rest| (rest, "};"));
        // Types contain commas too, so only a comma before a field name separates fields.
        let begins = fields.match_indices(", ").filter(|(at, _)| is_field(&fields[at + 2..]));
        let mut from = 0;
        for to in begins.map(|(at, _)| at + 1).chain([fields.len()]) {
            add(indent, fields[from..to].trim());
            from = to;
        }
        if !end.is_empty() {
            indent = "  ";
        }
        add(indent, end);
    }
    text
}

fn is_field(text: &str) -> bool {
    text.split_once(": ").is_some_and(|(name, _)| name.chars().all(char::is_alphanumeric))
}

const HEAD: &str = "\
// The contents of a page. The test of types.rs generates this file from contents.rs. It is not part of
// the page.
//
// Times are nanoseconds since the session began. Bytes are integers. Scripts represent both exactly
// up to 2^53. Unknown values are `null`, never 0. Every text is safe to show, but the page sets it
// only by `textContent` and `fillText`.

declare namespace Contents {
";

#[test]
fn the_types_of_the_script_match_the_document() {
    let mut declarations = Declarations::default();
    declarations.visit::<Head>();
    declarations.visit::<Document>();
    declarations.visit::<NodeKind>();
    let types = declarations.0.into_values().collect::<Vec<_>>().join("\n");
    let text = format!("{HEAD}{types}}}\n");
    expect_test::expect_file!["../../web/src/contents.d.ts"].assert_eq(&text);
}
