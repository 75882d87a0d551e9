//! The operators' page, and the ID explorer in it. `scripts/package-explorer --embed` packs their
//! files, and they are in the binary.

use std::sync::LazyLock;

use hyper::StatusCode;
use hyper::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, ETAG, HeaderMap, HeaderName, HeaderValue,
    IF_NONE_MATCH, LOCATION, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use sha2::{Digest as _, Sha256};

use super::answer::{Answer, TEXT, answer};
use super::problem::Problem;

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const DRAWING: &str = "image/svg+xml";
const WASM: &str = "application/wasm";

/// The headers that protect a document from other pages and injected content.
struct Guard {
    /// The content security policy.
    policy: &'static str,
    /// The same for frames, in browsers that ignore the policy's rule.
    framing: &'static str,
}

/// Allows its own files, and the explorer in a frame. No inline script or style, and no forms.
const PAGE: Guard = Guard {
    policy: "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
             img-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'",
    framing: "DENY",
};

/// The page's policy, except that WebAssembly may be compiled and the page may frame it.
const EXPLORER: Guard = Guard {
    policy: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
             connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'self'",
    framing: "SAMEORIGIN",
};

/// A served file: its path, type, content and entity tag.
struct File {
    path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
    tag: HeaderValue,
}

macro_rules! file {
    ($path:literal, $kind:expr) => {{
        let bytes = include_bytes!(concat!("../../page", $path));
        File { path: $path, kind: $kind, bytes, tag: tag_of(bytes) }
    }};
}

static FILES: LazyLock<[File; 9]> = LazyLock::new(|| {
    [
        file!("/index.html", HTML),
        file!("/page.css", STYLE),
        file!("/page.js", SCRIPT),
        file!("/explorer/index.html", HTML),
        file!("/explorer/early.js", SCRIPT),
        file!("/explorer/explorer.css", STYLE),
        file!("/explorer/explorer.js", SCRIPT),
        file!("/explorer/icon.svg", DRAWING),
        file!("/explorer/snowmint.wasm", WASM),
    ]
});

fn tag_of(bytes: &[u8]) -> HeaderValue {
    let digest: [u8; 32] = Sha256::digest(bytes).into();
    let start = u64::from_be_bytes(*digest.first_chunk().expect("it has 32 bytes"));
    HeaderValue::from_str(&format!("\"{start:016x}\"")).expect("digits are a value")
}

/// Returns a file; the path of a folder is its document. Browsers cache it and ask each time
/// whether it has changed.
///
/// # Errors
/// Fails if no file has this path.
pub(super) fn file(path: &str, headers: &HeaderMap) -> Result<Answer, Problem> {
    let document = if path.ends_with('/') { "index.html" } else { "" };
    let file = FILES.iter().find(|file| file.path.strip_prefix(path) == Some(document));
    let file = file.ok_or_else(|| Problem::nothing_at(path))?;
    let is_kept = headers.get(IF_NONE_MATCH) == Some(&file.tag);
    let mut answer = if is_kept {
        answer(StatusCode::NOT_MODIFIED, file.kind, "")
    } else {
        answer(StatusCode::OK, file.kind, file.bytes)
    };
    let guard = if path.starts_with("/explorer/") { &EXPLORER } else { &PAGE };
    let headers = answer.headers_mut();
    headers.remove(VARY);
    headers.insert(ETAG, file.tag.clone());
    let mut put = |name: HeaderName, value| headers.insert(name, HeaderValue::from_static(value));
    put(CACHE_CONTROL, "no-cache");
    put(CONTENT_SECURITY_POLICY, guard.policy);
    put(REFERRER_POLICY, "no-referrer");
    put(X_CONTENT_TYPE_OPTIONS, "nosniff");
    put(X_FRAME_OPTIONS, guard.framing);
    Ok(answer)
}

/// Redirects a request for the explorer without the last slash. The location is relative, because a
/// proxy may move the path.
pub(super) fn moved() -> Answer {
    let mut answer = answer(StatusCode::PERMANENT_REDIRECT, TEXT, "it is at explorer/\n");
    answer.headers_mut().insert(LOCATION, HeaderValue::from_static("explorer/"));
    answer
}

#[cfg(test)]
mod tests {
    use hyper::body::Body as _;
    use hyper::header::CONTENT_TYPE;

    use super::*;

    fn get(path: &str) -> Answer {
        file(path, &HeaderMap::new()).unwrap()
    }

    fn header(answer: &Answer, name: HeaderName) -> &str {
        answer.headers().get(name).unwrap().to_str().unwrap()
    }

    #[test]
    fn each_file_has_its_type_and_may_be_kept_while_it_is_the_same() {
        for (path, kind) in [
            ("/", "text/html; charset=utf-8"),
            ("/page.css", "text/css; charset=utf-8"),
            ("/page.js", "text/javascript; charset=utf-8"),
            ("/explorer/", "text/html; charset=utf-8"),
            ("/explorer/index.html", "text/html; charset=utf-8"),
            ("/explorer/icon.svg", "image/svg+xml"),
            ("/explorer/snowmint.wasm", "application/wasm"),
        ] {
            let whole = get(path);
            assert_eq!((whole.status(), header(&whole, CONTENT_TYPE)), (StatusCode::OK, kind));
            assert!(whole.body().size_hint().lower() > 0, "{path}");
            assert_eq!(header(&whole, CACHE_CONTROL), "no-cache");
            assert!(!whole.headers().contains_key(VARY), "{path}");

            let kept = HeaderMap::from_iter([(IF_NONE_MATCH, whole.headers()[ETAG].clone())]);
            let again = file(path, &kept).unwrap();
            assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
            assert_eq!(again.body().size_hint().exact(), Some(0));
            assert_eq!(again.headers()[ETAG], whole.headers()[ETAG]);

            let older = HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_static("\"0\""))]);
            assert_eq!(file(path, &older).unwrap().status(), StatusCode::OK);
        }
        let tags: std::collections::HashSet<_> = FILES.iter().map(|file| &file.tag).collect();
        assert_eq!(tags.len(), FILES.len());
    }

    #[test]
    fn a_path_that_is_of_no_file_is_not_found() {
        for name in ["", "service-worker.js", "manifest.webmanifest", "..", "Explorer.js"] {
            let path = format!("/explorer/{name}");
            let path = path.trim_end_matches('/');
            let problem = file(path, &HeaderMap::new()).unwrap_err();
            assert_eq!(problem.status, StatusCode::NOT_FOUND);
            assert!(problem.detail.ends_with(path), "{}", problem.detail);
        }
    }

    #[test]
    fn no_page_has_the_page_in_a_frame_and_nothing_is_compiled_in_it() {
        for path in ["/", "/page.js"] {
            let answer = get(path);
            let policy = header(&answer, CONTENT_SECURITY_POLICY);
            assert!(policy.starts_with("default-src 'none'; "), "{policy}");
            assert!(policy.ends_with("; frame-ancestors 'none'"), "{policy}");
            assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
            assert_eq!(header(&answer, X_FRAME_OPTIONS), "DENY");
        }
    }

    #[test]
    fn webassembly_runs_in_the_explorer_and_the_page_may_show_it_in_a_frame() {
        for path in ["/explorer/", "/explorer/snowmint.wasm"] {
            let answer = get(path);
            let policy = header(&answer, CONTENT_SECURITY_POLICY);
            assert!(policy.starts_with("default-src 'none'; "), "{policy}");
            assert!(policy.contains("; script-src 'self' 'wasm-unsafe-eval'; "), "{policy}");
            assert!(policy.ends_with("; frame-ancestors 'self'"), "{policy}");
            assert!(!policy.contains("'unsafe-") && !policy.contains('*'), "{policy}");
            assert_eq!(header(&answer, X_FRAME_OPTIONS), "SAMEORIGIN");
        }
    }

    #[test]
    fn nothing_of_the_page_is_asked_of_elsewhere_or_inline() {
        for path in ["/index.html", "/page.css", "/page.js"] {
            let file = FILES.iter().find(|file| file.path == path).unwrap();
            let text = std::str::from_utf8(file.bytes).unwrap().replace("http://www.w3.org/", "");
            assert!(!text.contains("http://") && !text.contains("https://"), "{path}");
            assert!(path != "/index.html" || !text.contains("style=") && !text.contains("onclick"));
        }
    }

    #[test]
    fn each_file_that_a_document_names_is_there() {
        for (folder, names) in [
            ("/", ["explorer/icon.svg", "explorer/early.js", "page.css", "page.js"]),
            ("/explorer/", ["icon.svg", "early.js", "explorer.css", "explorer.js"]),
        ] {
            let path = format!("{folder}index.html");
            let document = FILES.iter().find(|file| file.path == path).unwrap();
            let text = std::str::from_utf8(document.bytes).unwrap();
            let named: Vec<_> = text
                .split('"')
                .filter(|it| it.ends_with(".js") || it.ends_with(".css") || it.ends_with(".svg"))
                .collect();
            assert_eq!(named, names);
            for name in names {
                assert_eq!(get(&format!("{folder}{name}")).status(), StatusCode::OK);
            }
            assert!(!text.contains("manifest\""), "it is not for being installed");
        }
    }
}
