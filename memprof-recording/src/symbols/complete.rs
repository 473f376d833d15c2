//! Frames with the module paths that debug information leaves out.

use super::qualified::{has_path, qualified};

/// The function, the file and the line of a frame.
pub(super) type Frame = (Option<String>, Option<String>, Option<u32>);

/// Completes the frames at an address, the innermost first. `symbol` is the function that the code
/// belongs to. The other functions were inlined into it.
pub(super) fn complete(frames: &mut Vec<Frame>, symbol: Option<String>) {
    if frames.is_empty() {
        frames.extend(symbol.map(|symbol| (Some(symbol), None, None)));
        return;
    }
    // If the debug information does not describe functions, only the symbol has the function's name.
    if let Some((function, ..)) = frames.last_mut()
        && let Some(symbol) = symbol
        && !function.as_deref().is_some_and(has_path)
    {
        *function = Some(symbol);
    }
    qualify(frames);
    frames.retain(|frame| frame.0.is_some() || frame.1.is_some());
}

/// Adds module paths to functions that have none, as with `debug = "line-tables-only"`.
fn qualify(frames: &mut [Frame]) {
    let outer =
        frames.last().and_then(|(function, file, _)| Some((function.clone()?, file.clone()?)));
    let outer = outer.as_ref().map(|(function, file)| (&function[..], &file[..]));
    for (function, file, _) in frames.iter_mut() {
        if let (Some(name), Some(file)) = (function.as_mut(), file.as_deref())
            && !has_path(name)
        {
            *name = qualified(name, file, outer);
        }
    }
}
