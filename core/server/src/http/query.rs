//! Reads the parameters of a query. Each must be known, and given once.

use std::borrow::Cow;

use hyper::StatusCode;
use percent_encoding::percent_decode_str;
use snowmint::Code;

use super::problem::Problem;

/// Returns the values of the named parameters, in the order of the names.
///
/// # Errors
/// An unknown parameter; one that occurs twice; text that is not UTF-8.
pub(crate) fn parameters<'a, const N: usize>(
    query: Option<&'a str>,
    names: [&str; N],
) -> Result<[Option<Cow<'a, str>>; N], Problem> {
    let mut values = [const { None }; N];
    let pairs = query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty());
    for pair in pairs {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let place = names.iter().position(|known| *known == name);
        match place.and_then(|place| values.get_mut(place)) {
            Some(slot @ None) => *slot = Some(decoded(value)?),
            Some(Some(_)) => return Err(Problem::parameter(format!("{name} stands twice"))),
            None => return Err(unknown(name, &names)),
        }
    }
    Ok(values)
}

/// Decodes a part of a path or a query.
///
/// # Errors
/// Text that is not UTF-8.
pub(crate) fn decoded(text: &str) -> Result<Cow<'_, str>, Problem> {
    let decoded = percent_decode_str(text).decode_utf8();
    decoded.map_err(|_| Problem::parameter("what is percent-encoded is not UTF-8"))
}

fn unknown(name: &str, known: &[&str]) -> Problem {
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    let detail = format!("no parameter is called {name:?}: there are {known}");
    Problem::new(StatusCode::BAD_REQUEST, Code::UnknownParameter, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_known_and_stand_once() {
        let read = |query| parameters(query, ["count", "form"]);
        assert_eq!(read(None).unwrap(), [None, None]);
        assert_eq!(read(Some("")).unwrap(), [None, None]);
        let values = read(Some("form=ra%6eges&count=5")).unwrap();
        assert_eq!(
            values.map(|value| value.map(Cow::into_owned)),
            [Some("5".to_owned()), Some("ranges".to_owned())]
        );
        for query in ["count=1&count=2", "counts=1", "form=%ff", "%63ount=1"] {
            assert!(read(Some(query)).is_err(), "{query}");
        }
    }
}
