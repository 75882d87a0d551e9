//! Random bits for UUIDs: the system's, stretched by ChaCha12 as in `rand`, without a system call
//! for each.
//!
//! Each thread has its own stream, so no other thread can hold a lock at a fork. Each batch begins
//! with the key of the next one, and bits are erased as they are drawn, so that memory does not
//! reveal what was issued.

use std::cell::RefCell;

use chacha20::ChaCha12Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use crate::error::Result;
use crate::host::restore::Image;
use crate::host::{Random, System};

/// The bytes made at a time, including the next key.
const BATCH_BYTES: usize = 1024;
const KEY_BYTES: usize = 32;
const DRAW_BYTES: usize = 16;
/// After this many batches (64 KiB) the key comes from the system again. Twins of an image that was
/// cloned without [`on_restore`](crate::on_restore) diverge there.
const BATCHES_A_SEED: u32 = 64;

/// Draws 128 random bits that no other image of this process draws.
///
/// # Errors
/// [`Code::NoResource`] if the system gives no random numbers.
#[inline]
pub(super) fn draw() -> Result<u128> {
    thread_local! {
        static STREAM: RefCell<Stream> = const { RefCell::new(Stream::EMPTY) };
    }
    STREAM.with_borrow_mut(Stream::draw)
}

#[derive(Clone)]
struct Stream {
    /// The image that the bits belong to.
    image: Option<Image>,
    bytes: [u8; BATCH_BYTES],
    /// The number of bytes that were drawn or belong to the key.
    drawn: usize,
    batches_left: u32,
}

impl Stream {
    const EMPTY: Stream =
        Stream { image: None, bytes: [0; BATCH_BYTES], drawn: BATCH_BYTES, batches_left: 0 };

    #[inline]
    fn draw(&mut self) -> Result<u128> {
        if self.drawn == BATCH_BYTES || !self.image.is_some_and(Image::is_present) {
            self.refill()?;
        }
        let mut bits = [0; DRAW_BYTES];
        if let Some(drawn) = self.bytes[self.drawn..].first_chunk_mut() {
            std::mem::swap(&mut bits, drawn);
        }
        self.drawn += DRAW_BYTES;
        Ok(u128::from_ne_bytes(bits))
    }

    /// Makes the next batch. The key comes from the system if the present one belongs to another
    /// image or has made enough.
    #[cold]
    fn refill(&mut self) -> Result<()> {
        let image = Image::present();
        let mut key = [0; KEY_BYTES];
        if self.batches_left == 0 || !self.image.is_some_and(Image::is_present) {
            System.fill(&mut key)?;
            self.batches_left = BATCHES_A_SEED;
        } else {
            key.copy_from_slice(&self.bytes[..KEY_BYTES]);
        }
        ChaCha12Rng::from_seed(key).fill_bytes(&mut self.bytes);
        (self.image, self.drawn) = (Some(image), KEY_BYTES);
        self.batches_left -= 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::process::Command;

    use super::*;
    use crate::on_restore;

    fn drawn(stream: &mut Stream, count: usize) -> Vec<u128> {
        (0..count).map(|_| stream.draw().unwrap()).collect()
    }

    /// More than one seed is used for.
    const MANY: usize = 2 * BATCHES_A_SEED as usize * BATCH_BYTES / DRAW_BYTES;

    #[test]
    fn bits_are_ones_as_often_as_zeros_and_never_repeat() {
        let drawn = drawn(&mut Stream::EMPTY.clone(), MANY);
        for bit in 0..128 {
            let ones = drawn.iter().filter(|bits| *bits >> bit & 1 == 1).count();
            // 10 standard deviations: one run in 10^21 is further off.
            let off = ones.abs_diff(MANY / 2) as f64;
            assert!(off < 5.0 * (MANY as f64).sqrt(), "bit {bit}: {ones} of {MANY}");
        }
        assert_eq!(drawn.into_iter().collect::<HashSet<_>>().len(), MANY);
    }

    #[test]
    fn nothing_drawn_stays_in_memory() {
        let mut stream = Stream::EMPTY;
        drawn(&mut stream, 3);
        assert_eq!(stream.bytes[KEY_BYTES..stream.drawn], [0; 3 * DRAW_BYTES]);
    }

    #[test]
    fn twins_part_at_the_next_seed_at_the_latest() {
        let mut stream = Stream::EMPTY;
        drawn(&mut stream, 1);
        let mut twin = stream.clone();
        let (ours, theirs) = (drawn(&mut stream, MANY), drawn(&mut twin, MANY));
        assert_eq!(ours[0], theirs[0]);
        assert_ne!(ours[MANY - 1], theirs[MANY - 1]);
    }

    /// Runs in its own process, because a restore would affect the sources of other tests.
    #[test]
    fn a_restored_image_draws_other_bits_than_its_twin() {
        const ALONE: &str = "SNOWMINT_TEST_ALONE";
        let name = "sources::uuid::bits::tests::a_restored_image_draws_other_bits_than_its_twin";
        if std::env::var_os(ALONE).is_none() {
            let mut alone = Command::new(std::env::current_exe().unwrap());
            let run = alone.args(["--exact", name]).env(ALONE, "1").output().unwrap();
            let said = [run.stdout, run.stderr].concat();
            assert!(run.status.success(), "{}", String::from_utf8_lossy(&said));
            return;
        }
        let mut stream = Stream::EMPTY;
        drawn(&mut stream, 1);
        let mut twin = stream.clone();
        let ours = stream.draw().unwrap();
        on_restore();
        assert_ne!(twin.draw().unwrap(), ours);
    }
}
