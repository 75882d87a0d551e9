//! The place of a shared machine's one owner.

use crate::atomic::{Acquire, AtomicU64, Relaxed, Release};

/// Lets one owner at a time in.
///
/// A forked child has a copy of a place that a thread of the parent may hold, which is not there to
/// give it back. So a place is held in an *image* of the process: a number of which each copy of
/// the memory has its own, where the caller has such a number.
#[derive(Debug)]
pub(crate) struct Claim {
    image: Option<&'static AtomicU64>,
    /// The image it is held in; 0 if it is free.
    held_in: AtomicU64,
}

impl Claim {
    /// A free place, in memory of which there are no copies.
    pub(crate) fn new() -> Claim {
        Claim { image: None, held_in: AtomicU64::new(0) }
    }

    /// The same in memory whose copies `image` tells apart.
    pub(crate) fn told_apart_by(self, image: &'static AtomicU64) -> Claim {
        Claim { image: Some(image), ..self }
    }

    /// Takes the place; `false` if this image has an owner already, or no number yet.
    pub(crate) fn take(&self) -> bool {
        let image = self.image.map_or(1, |word| word.load(Relaxed));
        let held_in = self.held_in.load(Relaxed);
        // Acquire: this owner sees what the one before stored.
        image != 0
            && held_in != image
            && self.held_in.compare_exchange(held_in, image, Acquire, Relaxed).is_ok()
    }

    pub(crate) fn give_back(&self) {
        self.held_in.store(0, Release);
    }
}
