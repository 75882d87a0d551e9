//! The claim of the single owner of a shared object.

use crate::atomic::{Acquire, AtomicU64, Relaxed, Release};

/// Lets in one owner at a time.
///
/// A forked child copies a claim that a thread of its parent may hold, and no thread of the child
/// can give it back. So a claim is held in an *image* of the process: a number that differs in
/// every copy of the memory, if the caller provides one.
#[derive(Debug)]
pub(crate) struct Claim {
    image: Option<&'static AtomicU64>,
    /// The image in which the claim is held; 0 if it is free.
    held_in: AtomicU64,
}

impl Claim {
    /// Creates a free claim, in memory that is never copied.
    pub(crate) fn new() -> Claim {
        Claim { image: None, held_in: AtomicU64::new(0) }
    }

    /// Uses `image` to tell copies of the memory apart.
    pub(crate) fn told_apart_by(self, image: &'static AtomicU64) -> Claim {
        Claim { image: Some(image), ..self }
    }

    /// Takes the claim. Returns `false` if this image has an owner already, or has no number yet.
    pub(crate) fn take(&self) -> bool {
        let image = self.image.map_or(1, |word| word.load(Relaxed));
        let held_in = self.held_in.load(Relaxed);
        // Acquire: this owner sees what the previous one stored.
        image != 0
            && held_in != image
            && self.held_in.compare_exchange(held_in, image, Acquire, Relaxed).is_ok()
    }

    pub(crate) fn give_back(&self) {
        self.held_in.store(0, Release);
    }
}
