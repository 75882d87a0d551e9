//! Says why no preset is likely for an ID.

use core::fmt;

use super::{Doubt, Guess, Guesses, fitting};
use crate::preset::Preset;

/// The number of names that are said.
const NAMES: usize = 3;

/// The reason why a preset is not plausible for an ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unfit {
    /// Bits that are constant in the layout differ.
    Bits,
    /// Its time would be more than a day ahead.
    Future,
    /// Its time would be before the system had such IDs.
    Early,
    /// Its time would be in the day after the layout's epoch, where every small number is.
    Small,
}

impl Guesses {
    /// Returns the reason why no preset is likely for the ID, or `None` if one is.
    pub fn none_likely(&self) -> Option<NoneLikely> {
        let first = self.sorted.first().copied().flatten();
        let doubt = match first {
            Some(Guess { doubt: None, .. }) => return None,
            Some(Guess { doubt, .. }) => doubt,
            None => None,
        };
        Some(NoneLikely { guesses: self.clone(), doubt })
    }

    /// Returns the presets that are not plausible for the ID, each with the reason, in the order of
    /// [`Preset::ALL`].
    pub fn left_out(&self) -> impl Iterator<Item = (&'static Preset, Unfit)> {
        let (id, now_ms) = (self.id, self.now_ms);
        let unfit = move |preset| Some((preset, fitting(preset, id, now_ms).err()?));
        Preset::ALL.iter().filter_map(unfit)
    }
}

/// The reason why no preset is likely for an ID. `Display` writes a sentence without a full stop.
#[derive(Clone, Debug)]
pub struct NoneLikely {
    guesses: Guesses,
    /// The doubt about the first guess, or `None` if there is none.
    doubt: Option<Doubt>,
}

impl fmt::Display for NoneLikely {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no preset is likely: ")?;
        let Some(doubt) = self.doubt else { return self.write_counts(f) };
        f.write_str(match doubt {
            Doubt::Ambiguous => "its bits do not tell apart ",
            Doubt::Unlikely => "its bits are unusual for ",
            Doubt::Rare => "it only fits rare layouts: ",
            Doubt::Expired => "it only fits expired layouts: ",
            Doubt::Young => "it would be of the first month of ",
        })?;
        self.write_names(doubt, f)?;
        f.write_str(if doubt == Doubt::Ambiguous {
            " and systems with epochs of their own"
        } else {
            ""
        })
    }
}

impl NoneLikely {
    /// Writes the names of the first guesses with a doubt.
    fn write_names(&self, doubt: Doubt, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alike = || self.guesses.clone().filter(|guess| guess.doubt == Some(doubt));
        for (at, guess) in alike().take(NAMES).enumerate() {
            write!(f, "{}{}", if at == 0 { "" } else { ", " }, guess.preset.name)?;
        }
        match alike().count().saturating_sub(NAMES) {
            0 => Ok(()),
            more => write!(f, ", {more} more"),
        }
    }

    /// Writes how many presets each reason leaves out.
    fn write_counts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons = [
            (Unfit::Small, "it is as small as in the first day of"),
            (Unfit::Future, "its time would be in the future in"),
            (Unfit::Early, "its time would be before the system in"),
            (Unfit::Bits, "it has other constant bits than"),
        ];
        let count = |reason| self.guesses.left_out().filter(|&(_, why)| why == reason).count();
        let mut written = false;
        for (reason, words) in reasons {
            let count = count(reason);
            if count > 0 {
                write!(f, "{}{words} {count}", if written { ", " } else { "" })?;
                written = true;
            }
        }
        f.write_str(" of the layouts")
    }
}
