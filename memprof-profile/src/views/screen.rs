//! A tree that fits on a screen; lines are left out until the tree fits.

use crate::Profile;
use crate::text::cut;

/// The settings to try: the minimum percentage of the total, the maximum number of lines below each
/// branch, and the maximum number of levels. Small parts are left out first, then deep levels.
const SETTINGS: [(f64, usize, usize); 9] = [
    (1.0, 12, usize::MAX),
    (2.0, 8, usize::MAX),
    (3.0, 6, usize::MAX),
    (5.0, 5, 6),
    (8.0, 4, 4),
    (8.0, 4, 3),
    (8.0, 3, 2),
    (1.0, 6, 1),
    (1.0, 0, 0),
];

/// Returns as much of the tree as fits into this number of lines and columns.
pub(crate) fn on_screen(profile: &Profile, lines: usize, width: usize) -> String {
    let draw = |(share, max_lines, depth)| {
        let tree = profile.tree().width(width).min_share(share).widest(max_lines).depth(depth);
        tree.to_string()
    };
    let fits = |text: &String| text.lines().count() <= lines;
    let tree = core::iter::once(profile.tree().width(width).to_string())
        .chain(SETTINGS.into_iter().map(draw))
        .find(fits)
        .unwrap_or_else(|| draw(SETTINGS[SETTINGS.len() - 1]));
    // Levels that are nested too deep to be indented exceed the width.
    let kept: Vec<String> = tree.lines().take(lines).map(|line| cut(line, width)).collect();
    kept.join("\n")
}
