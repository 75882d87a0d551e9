//! The operators' page. Its files are in the binary; some of them belong to the ID explorer and are
//! shared.

use hyper::StatusCode;
use hyper::header::{
    CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};

use super::answer::{Answer, answer};
use super::problem::Problem;

pub(super) const HTML: &str = "text/html; charset=utf-8";
pub(super) const SCRIPT: &str = "text/javascript; charset=utf-8";
pub(super) const STYLE: &str = "text/css; charset=utf-8";
pub(super) const DRAWING: &str = "image/svg+xml";

/// The headers that protect a document from other pages and injected content.
pub(super) struct Guard {
    /// The content security policy.
    pub(super) policy: &'static str,
    /// The same for frames, in browsers that ignore the policy's rule.
    pub(super) framing: &'static str,
}

/// Allows its own files, and the explorer in a frame. No inline script or style, and no forms.
const GUARD: Guard = Guard {
    policy: "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
             img-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'",
    framing: "DENY",
};

/// A served file: its name, type and text.
type File = (&'static str, &'static str, &'static str);

macro_rules! own {
    ($name:literal, $kind:expr) => {
        ($name, $kind, include_str!(concat!("../../../../packages/page/src/", $name)))
    };
}

macro_rules! explorers {
    ($name:literal, $kind:expr) => {
        ($name, $kind, include_str!(concat!("../../../../packages/explorer/src/", $name)))
    };
    ($name:literal in $folder:literal, $kind:expr) => {
        (
            $name,
            $kind,
            include_str!(concat!("../../../../packages/explorer/src/", $folder, "/", $name)),
        )
    };
}

const INDEX: &str = include_str!("../../../../packages/page/index.html");

static FILES: &[File] = &[
    own!("actions.js", SCRIPT),
    own!("dialogs.js", SCRIPT),
    own!("explorer.js", SCRIPT),
    own!("figures.js", SCRIPT),
    own!("live.js", SCRIPT),
    own!("main.js", SCRIPT),
    own!("model.js", SCRIPT),
    own!("operators.css", STYLE),
    own!("sorted.js", SCRIPT),
    own!("sources.js", SCRIPT),
    own!("views.js", SCRIPT),
    own!("windowed.js", SCRIPT),
    explorers!("early.js", SCRIPT),
    explorers!("elements.js", SCRIPT),
    explorers!("icon.svg", DRAWING),
    explorers!("moments.js", SCRIPT),
    explorers!("tabs.js", SCRIPT),
    explorers!("theme.js", SCRIPT),
    explorers!("colours.css" in "styles", STYLE),
    explorers!("controls.css" in "styles", STYLE),
    explorers!("media.css" in "styles", STYLE),
    explorers!("page.css" in "styles", STYLE),
    explorers!("results.css" in "styles", STYLE),
];

pub(super) fn page() -> Answer {
    guarded(answer(StatusCode::OK, HTML, INDEX), &GUARD)
}

/// Returns a file of the page.
///
/// # Errors
/// Fails if no file has this name.
pub(super) fn file(name: &str) -> Result<Answer, Problem> {
    let file = FILES.iter().find(|(known, ..)| *known == name);
    let (_, kind, text) = file.ok_or_else(|| Problem::nothing_at(&format!("/page/{name}")))?;
    Ok(guarded(answer(StatusCode::OK, kind, *text), &GUARD))
}

/// Adds the protective headers to an answer.
pub(super) fn guarded(mut answer: Answer, guard: &Guard) -> Answer {
    let headers = answer.headers_mut();
    let mut put = |name: HeaderName, value| headers.insert(name, HeaderValue::from_static(value));
    put(CONTENT_SECURITY_POLICY, guard.policy);
    put(REFERRER_POLICY, "no-referrer");
    put(X_CONTENT_TYPE_OPTIONS, "nosniff");
    put(X_FRAME_OPTIONS, guard.framing);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names of modules, styles and pictures that a text refers to.
    fn named(text: &str) -> impl Iterator<Item = &str> {
        let quoted = text.split(['"', '\'']);
        let names = quoted.filter_map(|it| it.strip_prefix("./").or(it.strip_prefix("page/")));
        names.filter(|name| name.contains('.'))
    }

    #[test]
    fn each_file_that_is_named_is_there_and_each_that_is_there_is_named() {
        let texts = FILES.iter().map(|(.., text)| *text).chain([INDEX]);
        let mut used: Vec<_> = texts.flat_map(named).collect();
        used.sort_unstable();
        used.dedup();
        let mut files: Vec<_> = FILES.iter().map(|(name, ..)| *name).collect();
        files.sort_unstable();
        assert_eq!(used, files);
    }

    #[test]
    fn no_page_has_it_in_a_frame_and_nothing_is_compiled_in_it() {
        for answer in [page(), file("main.js").unwrap()] {
            let headers = answer.headers();
            assert_eq!(headers[X_FRAME_OPTIONS], "DENY");
            let policy = headers[CONTENT_SECURITY_POLICY].to_str().unwrap();
            assert!(policy.ends_with("frame-ancestors 'none'"), "{policy}");
            assert!(!policy.contains("unsafe"), "{policy}");
        }
    }

    #[test]
    fn nothing_is_asked_of_elsewhere() {
        for (name, _, text) in FILES {
            let links = text.replace("http://www.w3.org/", "");
            assert!(!links.contains("http://") && !links.contains("https://"), "{name}");
        }
        assert!(!INDEX.contains("style=") && !INDEX.contains("onclick"));
    }
}
