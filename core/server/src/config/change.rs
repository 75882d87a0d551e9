//! The settings that a reload may change.

use snowmint::Result;
use toml::{Table, Value};

use super::settings::Setting;
use super::{Config, SETTINGS};
use crate::errors;

impl Config {
    /// Checks that a running service can apply another configuration.
    ///
    /// # Errors
    /// [`snowmint::Code::Unsupported`] with all settings that must not vanish but would, or that
    /// are fixed but would change.
    pub(crate) fn check_change(&self, wanted: &Config) -> Result<()> {
        let (present, changed) = (self.table()?, wanted.table()?);
        // Checked first, because a fixed setting may differ for the same reason.
        self.check_gone(wanted, &present, &changed)?;
        let fixed = SETTINGS.iter().filter(|setting| setting.is_fixed);
        let fixed = fixed.filter(|setting| setting.of(&present) != setting.of(&changed));
        // Other servers keep using the URL that they have.
        let ordered = self.ordered.sources.iter();
        let ordered = ordered.filter(|name| self.sources.get(*name) != wanted.sources.get(*name));
        let keys = fixed.map(|setting| setting.key.to_owned());
        let keys: Vec<_> = keys.chain(ordered.map(|name| format!("sources.{name}"))).collect();
        if keys.is_empty() {
            return Ok(());
        }
        Err(errors::config::settings_fixed(&keys))
    }

    /// Refuses a configuration that lacks the sources or a setting that secures the service, as a
    /// file that is still being written does. Other values are allowed.
    fn check_gone(&self, wanted: &Config, present: &Table, changed: &Table) -> Result<()> {
        let kept = SETTINGS.iter().filter(|setting| setting.is_kept);
        let gone = kept.filter(|it| is_set(it, present) && !is_set(it, changed));
        let sources = !self.has_default_source && wanted.has_default_source;
        let keys = gone.map(|setting| setting.key).chain(sources.then_some("sources"));
        let keys: Vec<_> = keys.collect();
        if keys.is_empty() {
            return Ok(());
        }
        Err(errors::config::settings_gone(&keys))
    }
}

fn is_set(setting: &Setting, table: &Table) -> bool {
    setting.of(table).and_then(Value::as_str).is_some_and(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use snowmint::Code;

    use super::super::Layers;
    use super::super::layers::load;
    use super::*;

    fn of(text: &str) -> Config {
        load(&Layers { file: Some(text.to_owned()), ..Layers::default() }).unwrap()
    }

    const WHOLE: &str = "[tokens]\nfile = 'tokens.toml'\n[tls]\ncertificate = 'c.pem'\n\
                         key = 'k.pem'\nclient_ca = 'ca.pem'\n[sources]\na = 'uuid:'\n";

    #[test]
    fn tls_tokens_and_sources_do_not_go_while_the_service_runs() {
        for (text, keys) in [
            (String::new(), ": tls.certificate, tls.key, tls.client_ca, tokens.file, sources; "),
            (WHOLE.replace("file = 'tokens.toml'", ""), ": tokens.file; "),
            (WHOLE.replace("'tokens.toml'", "''"), ": tokens.file; "),
            (WHOLE.replace("client_ca = 'ca.pem'", ""), ": tls.client_ca; "),
            (WHOLE.replace("a = 'uuid:'", ""), ": sources; "),
        ] {
            let error = of(WHOLE).check_change(&of(&text)).unwrap_err();
            assert_eq!(error.code(), Code::Unsupported, "{text}");
            assert!(error.to_string().contains(keys), "{text}: {error}");
        }
    }

    #[test]
    fn it_may_come_and_be_another_one() {
        let other = WHOLE.replace("tokens.toml", "others.toml").replace(".pem", ".crt");
        of(WHOLE).check_change(&of(&other)).unwrap();
        of(WHOLE).check_change(&of(&WHOLE.replace("a = 'uuid:'", "b = 'uuid:'"))).unwrap();
        of("[sources]\na = 'uuid:'").check_change(&of(WHOLE)).unwrap();
        of("").check_change(&of("")).unwrap();
    }

    #[test]
    fn a_setting_that_cannot_change_is_named() {
        let error = of("event_loops = 2").check_change(&of("event_loops = 3")).unwrap_err();
        assert!(error.to_string().starts_with("event_loops cannot change"), "{error}");
    }
}
