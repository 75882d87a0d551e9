//! The parts of a URL that may be shown: no password, and no value of a secret parameter.

use std::borrow::Cow;
use std::fmt;

/// Replaces a secret.
const HIDDEN: &str = "***";
/// Schemes in whose URLs a lone name is a user's; in others it may be a token.
const SCHEMES_OF_USERS: &[&str] = &["postgres:", "postgresql:", "mysql:", "mariadb:"];
/// A parameter is secret if its name contains one of these: `password`, `token`, `sslpassword`.
const SECRET_WORDS: &[&str] = &["pass", "pwd", "secret", "token", "credential"];

/// Hides the secrets of a URL, or of a part of one, for messages and logs. `user:***@` replaces a
/// user with a password. `***@` replaces a lone name, which may be a token, unless it is a
/// database's user. `***` replaces the value of `password`, `token` and the like. It works with any
/// scheme and any malformed URL, and if in doubt hides too much.
///
/// ```
/// let url = "postgres://ann:hunter2@db:5432/ids?sslpassword=hunter2";
/// assert_eq!(snowmint::redacted(url), "postgres://ann:***@db:5432/ids?sslpassword=***");
/// ```
pub fn redacted(url: &str) -> Cow<'_, str> {
    let (users, rest) = match url.rfind('@') {
        Some(at) => (without_password(&url[..at]), &url[at..]),
        None => (String::new(), url),
    };
    let shown = users + &without_values(rest);
    if shown == url { Cow::Borrowed(url) } else { Cow::Owned(shown) }
}

/// Redacts the text before the last `@`; the scheme and the user stay.
fn without_password(text: &str) -> String {
    let begin = match (text.find("//"), text.find(':')) {
        (Some(slashes), _) => slashes + 2,
        (None, Some(colon)) => colon + 1,
        (None, None) => 0,
    };
    let (scheme, users) = text.split_at(begin);
    let shown = without_values(scheme);
    if shown != scheme {
        return shown;
    }
    if is_user(scheme, users) {
        return text.to_owned();
    }
    let user = users.split_once(':').map_or("", |(user, _)| user);
    // This is the `@` of a parameter, or a part of the password.
    let user = if user.contains(['?', '&', '=']) { "" } else { user };
    let colon = if user.is_empty() { "" } else { ":" };
    format!("{scheme}{user}{colon}{HIDDEN}")
}

/// Returns true if the text is a plain name, in a scheme where that is a user's.
fn is_user(scheme: &str, users: &str) -> bool {
    let scheme = scheme.trim_end_matches('/');
    SCHEMES_OF_USERS.iter().any(|known| scheme.ends_with(known))
        && users.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-%".contains(&byte))
}

/// Cuts the text after the first secret parameter, because a `&` may be part of its value.
fn without_values(text: &str) -> String {
    let mut shown = String::new();
    for pair in text.split_inclusive(['?', '&']) {
        match pair.split_once('=') {
            Some((name, _)) if is_secret(name) => return format!("{shown}{name}={HIDDEN}"),
            _ => shown += pair,
        }
    }
    shown
}

/// Returns true if the parameter's values must not be shown.
pub(crate) fn is_secret(parameter: &str) -> bool {
    let name = parameter.to_ascii_lowercase();
    // A misspelt name has a secret value too.
    let is_like = |secret| name.len() > 4 && strsim::osa_distance(&name, secret) < 3;
    SECRET_WORDS.iter().any(|word| name.contains(word))
        || ["password", "token"].into_iter().any(is_like)
}

pub(crate) fn shown<'a>(parameter: &str, value: &'a str) -> &'a str {
    if is_secret(parameter) { HIDDEN } else { value }
}

/// A text that is never shown.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Secret(pub(crate) String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_and_secret_values_are_hidden() {
        let shown = [
            ("postgres://ann:S3CRET@db/ids", "postgres://ann:***@db/ids"),
            ("postgres://ann:S3CR@ET@db,b:1/ids", "postgres://ann:***@db,b:1/ids"),
            ("postgres://ann:S3/CR?ET=1&x@db/ids", "postgres://ann:***@db/ids"),
            ("postgres://ann@db/ids", "postgres://ann@db/ids"),
            ("segment+mysql:ann-1@db?tag=a", "segment+mysql:ann-1@db?tag=a"),
            ("postgres://S3C:RET@db@db", "postgres://S3C:***@db"),
            ("postgres://S3C/RET@db", "postgres://***@db"),
            ("redis://S3CRET@cache", "redis://***@cache"),
            ("redis://:S3CRET@cache", "redis://***@cache"),
            ("postgres:ann:S3CRET@db", "postgres:ann:***@db"),
            ("postgres//ann:S3CRET@db", "postgres//ann:***@db"),
            ("ann:S3CRET@db/ids", "ann:***@db/ids"),
            ("S3CRET@db", "***@db"),
            ("etcd://db?token=S3CRET", "etcd://db?token=***"),
            ("etcd://db?a=1&Password=S3CRET&S3CRET=1", "etcd://db?a=1&Password=***"),
            ("x?sslpassword=S3CRET&S3CRET", "x?sslpassword=***"),
            ("password=S3CRET", "password=***"),
            ("x?pasword=S3CRET", "x?pasword=***"),
            ("x?a=1&tkoen=S3CRET", "x?a=1&tkoen=***"),
            ("x://a?password=S3CRET@db", "x://***@db"),
        ];
        for (url, safe) in shown {
            assert_eq!(redacted(url), safe);
            assert_eq!(redacted(safe), safe, "once is enough");
        }
        assert_eq!(redacted("x?token=S3CRET://a:S3CRET@db"), "x?token=***@db");
    }

    #[test]
    fn a_url_without_a_secret_stays_as_it_is() {
        for url in ["", "ids.db", "segment+sqlite:ids.db?tag=a&wait_ms=5", "a://b:1,[::1]:2/c?d"] {
            assert!(matches!(redacted(url), Cow::Borrowed(same) if same == url), "{url}");
        }
    }
}
