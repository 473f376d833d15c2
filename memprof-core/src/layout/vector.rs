//! The words of a vector that is private to a type of another crate.

use super::observed::Observed;
use super::word::{Frozen, index_of, words_of_frozen};

pub(crate) struct VectorWords {
    pub(crate) address: usize,
    pub(crate) capacity: usize,
    pub(crate) len: usize,
}

// SAFETY: a vector changes only through a unique reference.
unsafe impl<T> Frozen for Vec<T> {}

/// The indices of the words of a vector, relative to its first word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VectorIndices {
    pub(crate) address: usize,
    pub(crate) capacity: usize,
    pub(crate) len: usize,
}

impl VectorIndices {
    /// Found once on a vector whose words are known and differ.
    pub(crate) fn known() -> Option<Self> {
        static KNOWN: Observed<Option<VectorIndices>> = Observed::new();
        KNOWN.get_or_init(|| {
            let mut known: Vec<u8> = Vec::with_capacity(5);
            known.push(0);
            let words: [usize; 3] = words_of_frozen(&known)?;
            Some(Self {
                address: index_of(&words, known.as_ptr().addr())?,
                capacity: index_of(&words, known.capacity())?,
                len: index_of(&words, known.len())?,
            })
        })
    }

    /// Reads the vector whose first word has the index `start`.
    pub(crate) fn read(self, words: &[usize], start: usize) -> VectorWords {
        VectorWords {
            address: words[start + self.address],
            capacity: words[start + self.capacity],
            len: words[start + self.len],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{VectorIndices, words_of_frozen};

    #[test]
    fn vectors_of_any_type_have_the_known_words() {
        let indices = VectorIndices::known().expect("the layout is known");
        let mut texts: Vec<String> = Vec::with_capacity(9);
        texts.push(String::new());
        let words: [usize; 3] = words_of_frozen(&texts).expect("three words");
        let read = indices.read(&words, 0);
        assert_eq!((read.address, read.capacity, read.len), (texts.as_ptr().addr(), 9, 1));
    }
}
