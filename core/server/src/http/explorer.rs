//! The ID explorer inside the operators' page. `scripts/package-explorer --embed` packs its files,
//! and they are in the binary.

use std::sync::LazyLock;

use hyper::StatusCode;
use hyper::header::{CACHE_CONTROL, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH, LOCATION, VARY};
use sha2::{Digest as _, Sha256};

use super::answer::{Answer, TEXT, answer};
use super::page::{DRAWING, Guard, HTML, SCRIPT, STYLE, guarded};
use super::problem::Problem;

const WASM: &str = "application/wasm";

/// The page's policy, except that WebAssembly may be compiled and the page may frame it.
const GUARD: Guard = Guard {
    policy: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
             connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'self'",
    framing: "SAMEORIGIN",
};

/// A served file: its name, type, content and entity tag.
struct File {
    name: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
    tag: HeaderValue,
}

macro_rules! file {
    ($name:literal, $kind:expr) => {{
        let bytes = include_bytes!(concat!("../../explorer/", $name));
        File { name: $name, kind: $kind, bytes, tag: tag_of(bytes) }
    }};
}

static FILES: LazyLock<[File; 6]> = LazyLock::new(|| {
    [
        file!("index.html", HTML),
        file!("early.js", SCRIPT),
        file!("explorer.css", STYLE),
        file!("explorer.js", SCRIPT),
        file!("icon.svg", DRAWING),
        file!("snowmint.wasm", WASM),
    ]
});

fn tag_of(bytes: &[u8]) -> HeaderValue {
    let digest: [u8; 32] = Sha256::digest(bytes).into();
    let start = u64::from_be_bytes(*digest.first_chunk().expect("it has 32 bytes"));
    HeaderValue::from_str(&format!("\"{start:016x}\"")).expect("digits are a value")
}

/// Returns a file; an empty name is the document. Browsers cache it and ask each time whether it
/// has changed.
///
/// # Errors
/// Fails if no file has this name.
pub(super) fn file(name: &str, headers: &HeaderMap) -> Result<Answer, Problem> {
    let wanted = if name.is_empty() { "index.html" } else { name };
    let file = FILES.iter().find(|file| file.name == wanted);
    let file = file.ok_or_else(|| Problem::nothing_at(&format!("/explorer/{name}")))?;
    let is_kept = headers.get(IF_NONE_MATCH) == Some(&file.tag);
    let mut answer = if is_kept {
        answer(StatusCode::NOT_MODIFIED, file.kind, "")
    } else {
        answer(StatusCode::OK, file.kind, file.bytes)
    };
    let headers = answer.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(ETAG, file.tag.clone());
    headers.remove(VARY);
    Ok(guarded(answer, &GUARD))
}

/// Redirects a request without the last slash. The location is relative, because a proxy may move
/// the path.
pub(super) fn moved() -> Answer {
    let mut answer = answer(StatusCode::PERMANENT_REDIRECT, TEXT, "it is at explorer/\n");
    answer.headers_mut().insert(LOCATION, HeaderValue::from_static("explorer/"));
    answer
}

#[cfg(test)]
mod tests {
    use hyper::body::Body as _;
    use hyper::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_FRAME_OPTIONS};

    use super::*;

    fn get(name: &str) -> Answer {
        file(name, &HeaderMap::new()).unwrap()
    }

    fn header(answer: &Answer, name: hyper::header::HeaderName) -> &str {
        answer.headers().get(name).unwrap().to_str().unwrap()
    }

    #[test]
    fn each_file_has_its_type_and_may_be_kept_while_it_is_the_same() {
        for (name, kind) in [
            ("", "text/html; charset=utf-8"),
            ("index.html", "text/html; charset=utf-8"),
            ("early.js", "text/javascript; charset=utf-8"),
            ("explorer.css", "text/css; charset=utf-8"),
            ("explorer.js", "text/javascript; charset=utf-8"),
            ("icon.svg", "image/svg+xml"),
            ("snowmint.wasm", "application/wasm"),
        ] {
            let whole = get(name);
            assert_eq!((whole.status(), header(&whole, CONTENT_TYPE)), (StatusCode::OK, kind));
            assert!(whole.body().size_hint().lower() > 0, "{name}");
            assert_eq!(header(&whole, CACHE_CONTROL), "no-cache");
            assert!(!whole.headers().contains_key(VARY), "{name}");

            let kept = HeaderMap::from_iter([(IF_NONE_MATCH, whole.headers()[ETAG].clone())]);
            let again = file(name, &kept).unwrap();
            assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
            assert_eq!(again.body().size_hint().exact(), Some(0));
            assert_eq!(again.headers()[ETAG], whole.headers()[ETAG]);

            let older = HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_static("\"0\""))]);
            assert_eq!(file(name, &older).unwrap().status(), StatusCode::OK);
        }
        let tags: std::collections::HashSet<_> = FILES.iter().map(|file| &file.tag).collect();
        assert_eq!(tags.len(), FILES.len());
    }

    #[test]
    fn a_name_that_is_no_file_of_the_explorer_is_not_found() {
        for name in ["service-worker.js", "manifest.webmanifest", "main.js", "..", "Explorer.js"] {
            let problem = file(name, &HeaderMap::new()).unwrap_err();
            assert_eq!(problem.status, StatusCode::NOT_FOUND);
            assert!(problem.detail.ends_with(&format!("/explorer/{name}")), "{}", problem.detail);
        }
    }

    #[test]
    fn webassembly_runs_in_it_and_the_page_may_show_it_in_a_frame() {
        for name in ["", "snowmint.wasm"] {
            let answer = get(name);
            let policy = header(&answer, CONTENT_SECURITY_POLICY);
            assert!(policy.starts_with("default-src 'none'; "), "{policy}");
            assert!(policy.contains("; script-src 'self' 'wasm-unsafe-eval'; "), "{policy}");
            assert!(policy.ends_with("; frame-ancestors 'self'"), "{policy}");
            assert!(!policy.contains("'unsafe-") && !policy.contains('*'), "{policy}");
            assert_eq!(header(&answer, X_FRAME_OPTIONS), "SAMEORIGIN");
        }
    }

    #[test]
    fn each_file_that_is_named_is_there() {
        let index = FILES.iter().find(|file| file.name == "index.html").unwrap();
        let text = std::str::from_utf8(index.bytes).unwrap();
        let named: Vec<_> = text
            .split(['"'])
            .filter(|it| it.ends_with(".js") || it.ends_with(".css") || it.ends_with(".svg"))
            .collect();
        assert_eq!(named, ["icon.svg", "early.js", "explorer.css", "explorer.js"]);
        assert!(named.iter().all(|name| file(name, &HeaderMap::new()).is_ok()));
        assert!(!text.contains("manifest\""), "it is not for being installed");
    }
}
