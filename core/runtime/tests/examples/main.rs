//! The programs in `examples` run in one directory, twice if they can go on from a file.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::sync::Once;

/// The crate, with a file in the working directory in place of the one that an example names.
mod snowmint {
    pub(crate) use ::snowmint::*;

    pub(crate) fn open(url: &str) -> Result<Source> {
        ::snowmint::open(&url.replace("/tmp/ids.db", "ids.db"))
    }
}

fn in_a_directory_of_their_own() {
    static ENTERED: Once = Once::new();
    ENTERED.call_once(|| {
        std::env::set_current_dir(tempfile::tempdir().unwrap().keep()).unwrap();
    });
}

/// Each example is a module with a `main`, which a store in a file or in memory serves.
macro_rules! examples {
    ($times:expr; $($name:ident),*) => {$(
        mod $name {
            #[allow(unused_imports, reason = "some examples need no replacement")]
            use super::snowmint;

            include!(concat!("../../examples/", stringify!($name), ".rs"));

            #[test]
            fn runs() {
                super::in_a_directory_of_their_own();
                for _ in 0..$times {
                    main().unwrap();
                }
            }
        }
    )*};
}

examples!(2; quickstart, lazy, minting, errors);
examples!(1; exact); // A second time its store has given the number 1 already.
#[cfg(feature = "serde")]
examples!(1; json);
