//! The colours of a flame graph: light enough for black text on all of them.

use inferno::flamegraph::color::Color;

/// The colour of the background, and of frames that must be invisible on it.
pub(crate) const WHITE: Color = Color { r: 255, g: 255, b: 255 };

/// The colour of the root and of the branches below it, down to the first one with several
/// children.
pub(crate) const ROOT: Color = Color { r: 205, g: 210, b: 217 };

/// The colour of bytes without a field's name.
pub(crate) const GREY: Color = Color { r: 228, g: 230, b: 233 };

/// The hues of the children of the first branch that has several, used in turn.
pub(crate) const HUES: [Color; 8] = [
    Color { r: 121, g: 174, b: 224 },
    Color { r: 245, g: 171, b: 96 },
    Color { r: 127, g: 196, b: 133 },
    Color { r: 196, g: 155, b: 219 },
    Color { r: 240, g: 206, b: 90 },
    Color { r: 239, g: 142, b: 140 },
    Color { r: 113, g: 200, b: 195 },
    Color { r: 203, g: 178, b: 145 },
];

/// Returns a lighter colour of the same hue, for the next level down.
pub(crate) fn lighter(color: Color) -> Color {
    let towards_white = |part: u8| part + (255 - part) / 5;
    Color { r: towards_white(color.r), g: towards_white(color.g), b: towards_white(color.b) }
}
