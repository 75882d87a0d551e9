use super::*;

fn machines(url: &str) -> Result<Machines> {
    match UrlText::parse(url, "postgres://db/ids").unwrap().address()? {
        Address::Machines(machines) => Ok(machines),
        Address::Path(path) => panic!("{path}"),
    }
}

fn host(host: &str, port: Option<u16>) -> HostPort {
    HostPort { host: host.to_owned(), port }
}

#[test]
fn servers_with_users_ports_and_paths() {
    let parsed =
        machines("postgres://ann:a%3A%40%2Fb@db:5432,[::1]:5433,%2Frun/a%20b?x=1").unwrap();
    assert_eq!(
        parsed,
        Machines {
            user: Some("ann".to_owned()),
            password: Some(Secret("a:@/b".to_owned())),
            hosts: vec![host("db", Some(5432)), host("::1", Some(5433)), host("/run", None)],
            path: "/a b".to_owned(),
        }
    );
    assert_eq!(parsed.to_string(), "//ann:***@db:5432,[::1]:5433,/run/a b");
    let users = |url: &str| {
        let Machines { user, password, .. } = machines(url).unwrap();
        (user, password.map(|Secret(password)| password))
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(users("redis://:a@b:1@cache"), (None, some("a@b:1")));
    assert_eq!(users("redis://ann@cache"), (some("ann"), None));
    assert_eq!(users("redis://cache"), (None, None));
    assert_eq!(machines("http://a:8000,b:8000").unwrap().path, "");
    assert_eq!(machines("postgres://ann@/ids?host=a").unwrap().hosts, []);
}

#[test]
fn a_list_of_whole_urls_is_told_how_hosts_are_listed() {
    for url in ["http://a:1,http://b:1/orders", "p://a,p://b/ids", "http://a:1/,b:1"] {
        let refused = machines(url).unwrap_err();
        assert_eq!(refused.code(), Code::InvalidUrl);
        assert!(refused.to_string().contains("one scheme before them"), "{url}: {refused}");
    }
}

#[test]
fn an_invalid_server_is_refused_without_showing_the_password() {
    for url in [
        "p://ann:S3CR/ET@db/ids",
        "p://ann:S3CR?ET=@db/ids",
        "p://ann:123/S3CRET@db",
        "p://ann:123?S3CRET=4@db",
        "p://ann:S3CRET",
        "p://ann:S3CRET@db:port",
        "p://ann:S3CRET@db:0",
        "p://ann:S3CRET@db:65536",
        "p://ann:S3CRET@",
        "p://ann:S3CR@/ET@db",
        "p://ann:S3CR@/ET?@db",
        "p://ann:S3CRET@a,,b",
        "p://ann:S3CRET@:5432",
        "p://ann:S3CRET@[::1",
        "p://ann:S3CRET@[::1]x",
        "p://ann:S3CRET@::1",
        "p://ann:S3CRET%ff@db",
        "p://ann:S3CRET@d%ffb",
        "p://",
    ] {
        let error = machines(url).unwrap_err();
        assert_eq!(error.code(), Code::InvalidUrl, "{url}: {error}");
        assert!(!error.to_string().contains("S3CR"), "{url}: {error}");
    }
}

#[test]
fn nothing_parsed_shows_a_password() {
    let parsed = machines("p://ann:S3CRET@db").unwrap();
    assert_eq!(parsed.to_string(), "//ann:***@db");
    assert!(!format!("{parsed:?}").contains("S3CRET"), "{parsed:?}");
    assert_eq!(machines("p://S3CRET@db").unwrap().to_string(), "//***@db");
    let text = UrlText::parse("p:?a=1&token=S3CRET", "p:").unwrap();
    let taker = Taker { called: "p", names: vec!["a", "token"] };
    let [mut parameters] = text.parameters(&[taker]).unwrap();
    assert_eq!(format!("{parameters:?}"), r#"{"a": "1", "token": "***"}"#);
    let error = parameters.take_parsed::<u32>("token", "a number").unwrap_err();
    assert_eq!(error.to_string(), r#"token="***" is not possible: use a number"#);
}

#[test]
fn paths_are_taken_as_they_stand() {
    for (url, path) in [
        ("sqlite:ids.db?create=true", "ids.db"),
        ("sqlite:/dir/ids.db", "/dir/ids.db"),
        ("sqlite:///dir/ids.db", "/dir/ids.db"),
        ("sqlite:////host/dir/ids.db", "//host/dir/ids.db"),
        ("sqlite:a%20b@c:d#e", "a%20b@c:d#e"),
        (r"sqlite:C:\ids.db", r"C:\ids.db"),
    ] {
        let address = UrlText::parse(url, "sqlite:ids.db").unwrap().address().unwrap();
        assert_eq!(address.file("sqlite").unwrap(), path, "{url}");
    }
}

#[test]
fn a_name_that_was_meant_is_near() {
    let known = || ["worker", "wait_ms", "tag", "step", "state"].into_iter();
    for (name, right) in [
        ("wroker", "worker"),
        ("wait", "wait_ms"),
        ("tga", "tag"),
        ("Step", "step"),
        ("stat", "state"),
        ("worker_id", "worker"),
    ] {
        assert_eq!(meant(name, known()), format!(", did you mean {right}?"));
    }
    for name in ["", "x", "xyz", "password", "t"] {
        assert_eq!(meant(name, known()), "", "{name}");
    }
}
