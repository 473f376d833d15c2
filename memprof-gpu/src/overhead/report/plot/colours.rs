//! The colours of a drawing, for light pages and for dark ones.

use plotters::style::RGBColor;

pub(super) const PAPER: RGBColor = RGBColor(0xFF, 0xFF, 0xFE);
pub(super) const INK: RGBColor = RGBColor(0x1F, 0x23, 0x28);
pub(super) const MUTED: RGBColor = RGBColor(0x59, 0x63, 0x6E);
pub(super) const GRID: RGBColor = RGBColor(0xE3, 0xE6, 0xEA);
pub(super) const BAND: RGBColor = RGBColor(0xD1, 0xD9, 0xE0);

/// Told apart by people who see red and green alike, too.
const SERIES: [RGBColor; 6] = [
    RGBColor(0x09, 0x69, 0xDA),
    RGBColor(0xD1, 0x60, 0x0B),
    RGBColor(0x1A, 0x7F, 0x6F),
    RGBColor(0xA4, 0x3C, 0x9E),
    RGBColor(0x8A, 0x6D, 0x00),
    RGBColor(0x6E, 0x77, 0x81),
];

/// Each colour, and the one that stands for it on dark pages.
const DARK: [(RGBColor, &str); 11] = [
    (PAPER, "#0d1117"),
    (INK, "#e6edf3"),
    (MUTED, "#9198a1"),
    (GRID, "#262c36"),
    (BAND, "#343c47"),
    (SERIES[0], "#58a6ff"),
    (SERIES[1], "#f0883e"),
    (SERIES[2], "#3fc9b0"),
    (SERIES[3], "#d986d3"),
    (SERIES[4], "#d2a822"),
    (SERIES[5], "#b1bac4"),
];

/// The colour of the series with that number; after the last one comes the first again.
pub(super) fn colour(number: usize) -> RGBColor {
    SERIES[number % SERIES.len()]
}

/// The drawing with a style sheet that changes its colours on dark pages.
pub(super) fn with_both_themes(svg: &str) -> String {
    let rules = DARK.map(|(RGBColor(red, green, blue), dark)| {
        let light = format!("#{red:02X}{green:02X}{blue:02X}");
        format!("[fill=\"{light}\"]{{fill:{dark}}}[stroke=\"{light}\"]{{stroke:{dark}}}")
    });
    let style = format!(
        "<style>text{{font-family:system-ui,sans-serif}}@media(prefers-color-scheme:dark){{{}}}</style>",
        rules.concat()
    );
    match svg.find('>') {
        Some(end) => format!("{}\n{style}{}", &svg[..=end], &svg[end + 1..]),
        None => svg.to_owned(),
    }
}
