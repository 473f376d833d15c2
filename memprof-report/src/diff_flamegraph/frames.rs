//! Where each frame is drawn, and which are too narrow to be seen one by one.

use super::joined::Joined;

/// A frame in the picture.
#[derive(Debug)]
pub(super) struct Frame<'j, 'p> {
    /// From the left, in pixels.
    pub(super) left: f64,
    pub(super) width: f64,
    /// Frames above it.
    pub(super) depth: usize,
    pub(super) of: Of<'j, 'p>,
}

/// What a frame is of.
#[derive(Debug)]
pub(super) enum Of<'j, 'p> {
    Path(&'j Joined<'p>),
    /// So many siblings, and what they hold together.
    Others(usize, Joined<'p>),
}

/// Siblings that are narrower are drawn together.
const LEAST_WIDTH: f64 = 2.0;

impl<'p> Of<'_, 'p> {
    pub(super) fn path(&self) -> &Joined<'p> {
        match self {
            Self::Path(path) => path,
            Self::Others(_, path) => path,
        }
    }
}

/// All frames in a picture so many pixels wide; each before those below it.
pub(super) fn frames<'j, 'p>(root: &'j Joined<'p>, width: f64) -> Vec<Frame<'j, 'p>> {
    let mut frames = Vec::new();
    if root.weight > 0 {
        #[expect(clippy::cast_precision_loss, reason = "a pixel is coarse")]
        let scale = width / root.weight as f64;
        place(root, 0.0, 0, scale, &mut frames);
    }
    frames
}

fn place<'j, 'p>(
    path: &'j Joined<'p>,
    left: f64,
    depth: usize,
    scale: f64,
    frames: &mut Vec<Frame<'j, 'p>>,
) {
    #[expect(clippy::cast_precision_loss, reason = "a pixel is coarse")]
    let wide = |weight: u128| weight as f64 * scale;
    frames.push(Frame { left, width: wide(path.weight), depth, of: Of::Path(path) });
    let seen = path.children.partition_point(|child| wide(child.weight) >= LEAST_WIDTH);
    // One alone takes no more room than "1 other" would.
    let seen = if path.children.len() - seen == 1 { path.children.len() } else { seen };
    let (seen, others) = path.children.split_at(seen);
    let mut left = left;
    for child in seen.iter().filter(|child| child.weight > 0) {
        place(child, left, depth + 1, scale, frames);
        left += wide(child.weight);
    }
    let together = Joined::together(others);
    if together.weight > 0 {
        let width = wide(together.weight);
        let of = Of::Others(others.len(), together);
        frames.push(Frame { left, width, depth: depth + 1, of });
    }
}
