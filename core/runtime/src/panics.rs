//! Catches panics, for example of the user's code.

use std::any::Any;
use std::mem::forget;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `work`, and returns the message of a panic as an error.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let said = said(&*panic).to_owned();
        let_go(panic);
        said
    })
}

fn said(panic: &(dyn Any + Send)) -> &str {
    let owned = || panic.downcast_ref::<String>().map(String::as_str);
    panic.downcast_ref::<&str>().copied().or_else(owned).unwrap_or("it did not say why")
}

/// Drops the payload of a panic. Dropping may panic again, with a payload that panics in turn; that
/// one is leaked.
fn let_go(panic: Box<dyn Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        forget(again);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::panic_any;

    use super::*;

    /// Panics when it is dropped, with another payload of this type.
    struct Bomb;

    impl Drop for Bomb {
        fn drop(&mut self) {
            panic_any(Bomb);
        }
    }

    #[test]
    fn a_payload_that_panics_gets_no_further() {
        let got = catch_unwind(|| caught(|| panic_any(Bomb)));
        // A panic that does get through is leaked, because it would stop the test harness.
        let got = got.unwrap_or_else(|bomb| {
            forget(bomb);
            Ok(())
        });
        assert_eq!(got, Err::<(), _>("it did not say why".to_owned()));
        assert_eq!(caught(|| panic!("number {}", 7)), Err::<(), _>("number 7".to_owned()));
        assert_eq!(caught(|| 7), Ok(7));
    }
}
