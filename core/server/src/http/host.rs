//! The host that a request names: by `Host`, or by a target in absolute form.

use hyper::header::HOST;
use hyper::http::uri::Authority;
use hyper::{Request, Version};

use super::problem::Problem;

/// Returns the host and port that a request names. An absolute target takes precedence over `Host`
/// (RFC 9112, 3.2.2). Empty if HTTP/1.0 names none.
///
/// # Errors
/// HTTP/1.1 without `Host`; more than one `Host`.
pub(crate) fn called<T>(request: &Request<T>) -> Result<&str, Problem> {
    let mut hosts = request.headers().get_all(HOST).iter();
    let host = hosts.next();
    if hosts.next().is_some() {
        return Err(Problem::parameter("there is more than one Host"));
    }
    if host.is_none() && request.version() >= Version::HTTP_11 {
        return Err(Problem::parameter("there is no Host: HTTP/1.1 says who is called"));
    }
    let target = request.uri().authority().map(Authority::as_str);
    Ok(target.or_else(|| host?.to_str().ok()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(version: Version, target: &str, hosts: &[&str]) -> Option<String> {
        let mut request = Request::builder().version(version).uri(target);
        for host in hosts {
            request = request.header(HOST, *host);
        }
        called(&request.body(()).unwrap()).ok().map(str::to_owned)
    }

    #[test]
    fn the_target_is_above_the_host_and_one_has_to_be_there() {
        let one = |called: &str| Some(called.to_owned());
        assert_eq!(of(Version::HTTP_11, "/healthz", &["ids:1"]), one("ids:1"));
        assert_eq!(of(Version::HTTP_11, "http://other:2/healthz", &["ids:1"]), one("other:2"));
        assert_eq!(of(Version::HTTP_11, "/healthz", &[""]), one(""));
        assert_eq!(of(Version::HTTP_10, "/healthz", &[]), one(""));
        assert_eq!(of(Version::HTTP_11, "/healthz", &[]), None);
        assert_eq!(of(Version::HTTP_11, "http://other:2/healthz", &[]), None);
        assert_eq!(of(Version::HTTP_10, "/healthz", &["ids:1", "other:2"]), None);
    }
}
