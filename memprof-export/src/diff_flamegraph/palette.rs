//! The colours of a change. People with any colour vision can distinguish blue (less) from orange
//! (more).

use super::joined::Sides;

memprof_profile::keywords! {
    /// The kinds of changes of a path, in the order of the legend. The text of a kind is the class
    /// of its frames.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Change {
        Removed => "gone",
        ShrunkMuch => "shrunk-much",
        Shrunk => "shrunk",
        ShrunkSlightly => "shrunk-slightly",
        Same => "same",
        GrownSlightly => "grown-slightly",
        Grown => "grown",
        GrownMuch => "grown-much",
        New => "new",
    }
}

/// A change is slight if it is at most the bytes of the larger side divided by this number.
const SLIGHT_DIVISOR: u64 = 10;

impl Change {
    pub(super) fn of(sides: Sides) -> Self {
        let (before, after) = (sides.before.unwrap_or(0), sides.after.unwrap_or(0));
        // A path with 0 bytes exists: it may be an empty vector.
        match (sides.before, sides.after) {
            (Some(_), None) => Self::Removed,
            (None, Some(_)) => Self::New,
            _ if after > before.saturating_mul(2) => Self::GrownMuch,
            _ if after > before && after - before > after / SLIGHT_DIVISOR => Self::Grown,
            _ if after > before => Self::GrownSlightly,
            _ if after == before => Self::Same,
            _ if after < before.div_ceil(2) => Self::ShrunkMuch,
            _ if before - after > before / SLIGHT_DIVISOR => Self::Shrunk,
            _ => Self::ShrunkSlightly,
        }
    }

    /// Returns the text for the legend.
    pub(super) fn description(self) -> &'static str {
        match self {
            Self::Removed => "gone",
            Self::ShrunkMuch => "less than half",
            Self::Shrunk => "less",
            Self::ShrunkSlightly => "slightly less",
            Self::Same => "the same",
            Self::GrownSlightly => "slightly more",
            Self::Grown => "more",
            Self::GrownMuch => "more than twice",
            Self::New => "new",
        }
    }

    /// Returns the colours of the light and the dark theme.
    fn fills(self) -> [&'static str; 2] {
        match self {
            Self::Removed => ["#cfe0f3", "#1b324a"],
            Self::ShrunkMuch => ["#7fb2ea", "#1f62a8"],
            Self::Shrunk => ["#b3d3f5", "#23507f"],
            Self::ShrunkSlightly => ["#dbe7f4", "#303f50"],
            Self::Same => ["#e4e6e9", "#3a3f46"],
            Self::GrownSlightly => ["#f6e6d3", "#4f4233"],
            Self::Grown => ["#fbd0a0", "#70440e"],
            Self::GrownMuch => ["#f7ab5c", "#935404"],
            Self::New => ["#ee8420", "#b05e00"],
        }
    }
}

/// Colours of the text, the page behind the frames, the hatching and the outlines: light, then
/// dark.
const TEXT: [&str; 2] = ["#14171a", "#ffffff"];
const PAGE: [&str; 2] = ["#ffffff", "#15181c"];
const HATCHING: [&str; 2] = ["#9dbde0", "#3a5f86"];
const OUTLINE: [&str; 2] = ["#2f6fb0", "#8fc1f2"];

/// Returns the style sheet.
pub(super) fn style() -> String {
    let theme = |theme: usize| {
        let fills: Vec<String> = Change::ALL
            .iter()
            .filter(|change| **change != Change::Removed)
            .map(|change| format!(".{} rect{{fill:{}}}", change.as_str(), change.fills()[theme]))
            .collect();
        format!(
            "text{{fill:{}}}.page{{fill:{}}}.f rect{{stroke:{}}}.gone rect{{stroke:{}}}\
             .hatched{{fill:{}}}.hatching{{stroke:{}}}{}",
            TEXT[theme],
            PAGE[theme],
            PAGE[theme],
            OUTLINE[theme],
            Change::Removed.fills()[theme],
            HATCHING[theme],
            fills.concat()
        )
    };
    format!(
        "text{{font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}}\
         .title{{font-size:15px;font-weight:bold}}.f rect{{stroke-width:1}}\
         .gone rect{{fill:url(#gone);stroke-dasharray:4 2}}.f:hover rect{{stroke-width:2}}{}\
         @media(prefers-color-scheme:dark){{:root{{color-scheme:dark}}{}}}",
        theme(0),
        theme(1)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_enough_contrast_on_each_colour_in_both_themes() {
        for theme in 0..2 {
            let fills = Change::ALL.iter().map(|change| change.fills()[theme]);
            for fill in fills.chain([PAGE[theme], HATCHING[theme]]) {
                let contrast = contrast(TEXT[theme], fill);
                assert!(contrast >= 4.5, "{fill} in theme {theme}: {contrast:.2}");
            }
        }
    }

    #[test]
    fn the_outline_of_removed_frames_has_enough_contrast() {
        for theme in 0..2 {
            assert!(contrast(OUTLINE[theme], PAGE[theme]) >= 3.0, "theme {theme}");
        }
    }

    /// Returns the contrast ratio as WCAG 2 defines it.
    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    fn luminance(color: &str) -> f64 {
        let part = |at: usize| {
            let value = u8::from_str_radix(&color[at..at + 2], 16).expect("it is hexadecimal");
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    #[test]
    fn a_change_depends_on_the_bytes_before_and_after() {
        let cases = [
            (Some(5), None, Change::Removed),
            (None, Some(0), Change::New),
            (Some(0), Some(1), Change::GrownMuch),
            (Some(4), Some(9), Change::GrownMuch),
            (Some(4), Some(8), Change::Grown),
            (Some(90), Some(101), Change::Grown),
            (Some(90), Some(100), Change::GrownSlightly),
            (Some(4), Some(4), Change::Same),
            (Some(100), Some(90), Change::ShrunkSlightly),
            (Some(100), Some(89), Change::Shrunk),
            (Some(4), Some(2), Change::Shrunk),
            (Some(3), Some(1), Change::ShrunkMuch),
            (Some(4), Some(1), Change::ShrunkMuch),
            (Some(u64::MAX), Some(0), Change::ShrunkMuch),
            (Some(u64::MAX - 1), Some(u64::MAX), Change::GrownSlightly),
        ];
        for (before, after, change) in cases {
            assert_eq!(Change::of(Sides { before, after }), change, "{before:?} {after:?}");
        }
    }
}
