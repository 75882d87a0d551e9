//! Passwords that `--print-config` did not show.

use snowmint::{Result, redacted};

use super::{Config, refused};

impl Config {
    /// A file that was printed has no passwords, and would be taken for one with others.
    pub(super) fn refuse_hidden_passwords(&self) -> Result<()> {
        let sources = self.sources.iter().map(|(name, url)| (format!("sources.{name}"), url));
        let stores = [("leases.store", &self.leases.store), ("ordered.store", &self.ordered.store)];
        let mut all = sources.chain(stores.map(|(key, url)| (key.to_owned(), url)));
        let is_hidden = |url: &str| {
            let other = url.replace("***", "x");
            redacted(url) == url && redacted(&other) != other
        };
        match all.find(|(_, url)| is_hidden(url)) {
            Some((key, _)) => Err(refused(format!(
                "{key}: *** is no password, but what --print-config shows in place of one: write \
                 it again, or leave it to the environment or the file that its driver reads"
            ))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::layers::{Layers, load};
    use super::*;

    fn of(text: &str) -> Result<Config> {
        load(&Layers { file: Some(text.to_owned()), ..Layers::default() })
    }

    #[test]
    fn a_password_that_was_not_printed_is_not_taken_for_one() {
        for text in [
            "[sources]\na = 'segment+postgres://me:secret@host/db?tag=a'",
            "[leases]\nstore = 'redis://host?password=secret'",
        ] {
            let printed = of(text).unwrap().print().unwrap();
            let error = of(&printed).unwrap_err().to_string();
            assert!(error.contains("a: ***") || error.contains("leases.store: ***"), "{error}");
        }
        for url in ["segment+sqlite:/tmp/***.db?tag=a", "segment+postgres://me:a***@host/d?tag=a"] {
            of(&format!("[sources]\na = '{url}'")).unwrap();
        }
    }
}
