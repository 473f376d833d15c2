//! Frames with the names of the symbol table, where the debug information has none.

/// The function, the file and the line of a frame.
pub(super) type Frame = (Option<String>, Option<String>, Option<u32>);

/// Completes the frames at an address, the innermost first. `symbol` is the function that the code
/// belongs to. The other functions were inlined into it.
///
/// With `debug = "line-tables-only"`, an inlined function has only its own name, without modules. It
/// stays as it is: the path of a file does not determine the module, for example with `#[path]`.
pub(super) fn complete(frames: &mut Vec<Frame>, symbol: Option<String>) {
    if frames.is_empty() {
        frames.extend(symbol.map(|symbol| (Some(symbol), None, None)));
        return;
    }
    if let Some((function, ..)) = frames.last_mut()
        && let Some(symbol) = symbol
        && !function.as_deref().is_some_and(has_path)
    {
        *function = Some(symbol);
    }
    frames.retain(|frame| frame.0.is_some() || frame.1.is_some());
}

/// Returns `true` if a function's name has modules or a type. Its type arguments do not count.
fn has_path(name: &str) -> bool {
    name.split_once('<').map_or(name, |(own, _)| own).contains("::") || name.starts_with('<')
}

#[cfg(test)]
mod tests {
    use super::{complete, has_path};

    #[test]
    fn a_path_in_the_type_arguments_is_not_the_function_s() {
        for (name, expected) in [
            ("from_str<serde_json::value::Value>", false),
            ("{async_fn#0}<u64, alloc::sync::Arc<u8>>", false),
            ("app::from_str<u8>", true),
            ("<app::Type as core::clone::Clone>::clone", true),
        ] {
            assert_eq!(has_path(name), expected, "{name}");
        }
    }

    #[test]
    fn no_module_is_made_up_from_a_file() {
        let file = Some("/srv/app/src/bin/leak.rs".to_owned());
        let mut frames = vec![
            (Some("render".to_owned()), file.clone(), Some(4)),
            (Some("main".to_owned()), file.clone(), Some(9)),
        ];
        complete(&mut frames, Some("leak::main".to_owned()));
        let names: Vec<_> = frames.iter().map(|frame| frame.0.as_deref()).collect();
        assert_eq!(names, [Some("render"), Some("leak::main")]);
    }
}
