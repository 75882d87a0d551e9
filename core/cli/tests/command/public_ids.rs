//! `public-ids`: keys made, changed and refused; IDs and their public forms.

use std::fs;

use crate::{Outcome, User, finish};

const ID: &str = "1541815603606036480";
/// The first key of the vectors.
const KEYS: &str = "[keys]\n1 = '2b7e151628aed2a6abf7158809cf4f3c'\n";

/// A user who has keys.
fn user() -> User {
    let user = User::new();
    user.run(&["public-ids", "keygen", "keys.toml"]).done();
    user
}

impl User {
    fn public_ids(&self, command: &str, more: &[&str]) -> Outcome {
        let arguments = ["public-ids", command, "--keys", "keys.toml", "--type", "order"];
        self.run(&[&arguments, more].concat())
    }
}

#[test]
fn every_form_is_made_and_read() {
    let user = user();
    let forms: [&[&str]; 5] = [
        &[],
        &["--form", "base64url"],
        &["--form", "uuid"],
        &["--form", "number"],
        &["--form", "number", "--bits", "63"],
    ];
    for form in forms {
        let public = user.public_ids("encode", &[form, &[ID]].concat()).done();
        assert_ne!(public.trim(), ID);
        assert_eq!(
            user.public_ids("encode", &[form, &[ID]].concat()).done(),
            public,
            "the same again"
        );
        assert_eq!(
            user.public_ids("decode", &[form, &[public.trim()]].concat()).done(),
            format!("{ID}\n")
        );
        let object = format!("{{\"id\":\"{ID}\",\"public\":\"{}\"}}\n", public.trim());
        assert_eq!(user.public_ids("encode", &[form, &["--json", ID]].concat()).done(), object);
        assert_eq!(
            user.public_ids("decode", &[form, &["--json", public.trim()]].concat()).done(),
            object
        );
    }
}

#[test]
fn lines_are_read_and_a_wrong_one_is_passed_over() {
    let user = user();
    let tokens = user.public_ids("encode", &["1", "2"]).done();
    let tokens: Vec<&str> = tokens.lines().collect();
    let altered = tokens[0].replace("order_1", "order_2");
    let input = format!("{}\nnonsense\n\n{altered}\n  {}\n", tokens[0], tokens[1]);
    let arguments = ["public-ids", "decode", "--keys", "keys.toml", "--type", "order", "-"];
    let outcome = user.run_with_input(&arguments, input.as_bytes());
    assert_eq!((outcome.stdout.as_str(), outcome.status), ("1\n2\n", 2));
    let first = "error[wrong_type]: line 2: \"nonsense\": it is of another type: those of this one \
                 begin with order_\n";
    assert!(outcome.stderr.starts_with(first), "{}", outcome.stderr);
    let second = format!("error[not_found]: line 4: \"{altered}\": there is no such ID\n");
    assert!(outcome.stderr.contains(&second), "{}", outcome.stderr);
}

#[test]
fn old_forms_are_read_after_rotations() {
    let user = user();
    let one =
        |command: &str, more: &[&str]| user.public_ids(command, more).done().trim().to_owned();
    let number = ["--form", "number", "--bits", "53", "7"];
    let (first, seven) = (one("encode", &[ID]), one("encode", &number));
    let said = user.run(&["public-ids", "rotate", "keys.toml"]).done();
    assert_eq!(said, "keys.toml: key 2 makes what is new, read are 1, 2\n");
    let second = one("encode", &[ID]);
    assert!(first.starts_with("order_1") && second.starts_with("order_2"), "{first} {second}");
    let said = user.run(&["public-ids", "rotate", "keys.toml", "--add-only"]).done();
    assert_eq!(said, "keys.toml: key 2 makes what is new, read are 1, 2, 3\n");
    assert_eq!(one("encode", &[ID]), second);
    user.run(&["public-ids", "rotate", "keys.toml", "--current", "3"]).done();
    assert!(one("encode", &[ID]).starts_with("order_3"));
    assert_eq!([one("decode", &[&first]), one("decode", &[&second])], [ID, ID]);
    assert_eq!(one("encode", &number), seven, "numbers stay with their key");
    user.run(&["public-ids", "rotate", "keys.toml", "--remove", "2"]).done();
    user.public_ids("decode", &[&second]).refused(2, "there is no such ID");
    assert_eq!(one("decode", &[&first]), ID);
    user.run(&["public-ids", "rotate", "keys.toml", "--remove", "1"])
        .refused(2, "numbers names it");
    user.run(&["public-ids", "rotate", "keys.toml", "--remove", "3"])
        .refused(2, "current names it");
}

#[test]
fn numbers_can_have_another_key() {
    let user = user();
    let number = ["--form", "number", "--bits", "53", "7"];
    let first = user.public_ids("encode", &number).done();
    user.run(&["public-ids", "rotate", "keys.toml"]).done();
    user.run(&["public-ids", "rotate", "keys.toml", "--remove", "1"]).refused(
        2,
        "by `snowmint public-ids rotate FILE --numbers SYMBOL`: all numbers that were made",
    );
    let said = user.run(&["public-ids", "rotate", "keys.toml", "--numbers", "2"]).done();
    assert_eq!(
        said,
        "keys.toml: key 2 makes what is new, read are 1, 2; key 2 makes and reads numbers\n"
    );
    assert_ne!(user.public_ids("encode", &number).done(), first);
    user.run(&["public-ids", "rotate", "keys.toml", "--remove", "1"]).done();
    user.run(&["public-ids", "rotate", "keys.toml", "--numbers", "1"])
        .refused(2, "no key has that");
    user.run(&["public-ids", "rotate", "keys.toml", "--numbers", "2", "--add-only"])
        .refused(2, "cannot");
}

#[test]
fn a_symbol_is_not_given_again() {
    let user = user();
    user.run(&["public-ids", "rotate", "keys.toml", "--add-only"]).done();
    user.run(&["public-ids", "rotate", "keys.toml", "--remove", "2"]).done();
    let said = user.run(&["public-ids", "rotate", "keys.toml"]).done();
    assert_eq!(said, "keys.toml: key 3 makes what is new, read are 1, 3\n");
}

#[test]
fn a_file_of_json_stays_one() {
    let user = user();
    let json = "{\"keys\":{\"1\":\"2b7e151628aed2a6abf7158809cf4f3c\"}}";
    fs::write(user.path("keys.toml"), json).unwrap();
    user.run(&["public-ids", "rotate", "keys.toml"]).done();
    let written = fs::read_to_string(user.path("keys.toml")).unwrap();
    let read: serde_json::Value = serde_json::from_str(&written).unwrap();
    assert_eq!((&read["current"], &read["numbers"]), (&"2".into(), &"1".into()));
    assert_eq!(read["keys"]["1"], "2b7e151628aed2a6abf7158809cf4f3c");
}

#[test]
fn keys_in_the_place_of_a_name_are_not_repeated() {
    let user = user();
    let toml = fs::read_to_string(user.path("keys.toml")).unwrap();
    let key = toml.trim_end().trim_end_matches('"').rsplit('"').next().unwrap().to_owned();
    let json = format!("{{\"keys\":{{\"1\":\"{key}\"}}}}");
    for keys in [toml.trim_end(), &json, &key, &format!("[keys]\n1 = '{key}'")] {
        let of_environment = format!("env:{keys}");
        for source in [keys, &of_environment] {
            let encode = ["public-ids", "encode", "--keys", source, "--type", "order", ID];
            let decode = ["public-ids", "decode", "--keys", source, "--type", "order", "order_1"];
            let misplaced: [&[&str]; 4] = [
                &encode,
                &decode,
                &["public-ids", "rotate", source],
                &["public-ids", "keygen", source],
            ];
            for arguments in misplaced {
                let told = user.run(arguments);
                assert!(!told.stderr.contains(&key[..8]), "{told:?}");
                told.refused(2, "not repeated, as it may be the keys themselves");
            }
        }
        let option = format!("--form={keys}");
        let more: [&[&str]; 5] = [
            &["public-ids", "rotate", "keys.toml", keys],
            &["public-ids", "rotate", "keys.toml", "--current", keys],
            &["public-ids", "encode", "--keys", "keys.toml", "--type", keys, ID],
            &["public-ids", "encode", "--keys", "keys.toml", "--type", "order", &option, ID],
            &["public-ids", keys],
        ];
        for arguments in more {
            let told = user.run(arguments);
            assert!(told.status == 2 && !told.stderr.contains(&key[..8]), "{told:?}");
        }
    }
    for command in ["encode", "decode"] {
        let read = ["public-ids", command, "--keys", "keys.toml", "--type", "order", "-"];
        let told = user.run_with_input(&read, format!("{toml}{json}\n{key}\n").as_bytes());
        assert!(!told.stderr.contains(&key[..8]), "{told:?}");
        told.refused(2, ": a text that may be a key: ");
        fs::remove_file(user.path("input")).unwrap();
    }
    assert_eq!(fs::read_dir(user.home.path()).unwrap().count(), 1, "no file is called so");
    // A directory may be.
    fs::create_dir(user.path(&key)).unwrap();
    user.run(&["public-ids", "keygen", &format!("{key}/keys.toml")]).done();
}

#[test]
fn rotations_at_once_lose_no_key() {
    let user = user();
    let rotations: Vec<_> =
        (0..8).map(|_| user.start(&["public-ids", "rotate", "keys.toml"])).collect();
    for rotation in rotations {
        let output = rotation.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    let said = user.run(&["public-ids", "rotate", "keys.toml", "--current", "9"]).done();
    assert_eq!(said, "keys.toml: key 9 makes what is new, read are 1, 2, 3, 4, 5, 6, 7, 8, 9\n");
    assert_eq!(fs::read_dir(user.home.path()).unwrap().count(), 1, "no file is left beside it");
}

#[test]
fn files_of_a_killed_rotation_are_gone_after_the_next() {
    let user = user();
    for begun in 0..20 {
        let mut rotation = user.start(&["public-ids", "rotate", "keys.toml", "--current", "1"]);
        std::thread::sleep(std::time::Duration::from_micros(begun * 250));
        rotation.kill().unwrap();
        rotation.wait().unwrap();
    }
    let left = [".snowmint-keys-keys.toml-aB3xY9", ".snowmint-keys-other.toml-aB3xY9"];
    left.iter().for_each(|name| fs::write(user.path(name), KEYS).unwrap());
    user.run(&["public-ids", "rotate", "keys.toml"]).done();
    let names = || {
        let all = fs::read_dir(user.home.path()).unwrap();
        let mut names: Vec<_> = all.map(|it| it.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(), [left[1], "keys.toml"], "another file's change may go on");
    user.run(&["public-ids", "keygen", "other.toml"]).done();
    assert_eq!(names(), ["keys.toml", "other.toml"]);
}

#[test]
fn hints_are_of_public_ids() {
    let user = user();
    let keys = "`snowmint public-ids --help` has";
    user.run(&["public-ids", "keygen", "keys.toml"]).refused(2, keys);
    user.run(&["public-ids", "keygen", "--realm", "a b"]).refused(2, keys);
    user.public_ids("encode", &["--bits", "53", "1"]).refused(2, keys);
    let told = user.run(&["public-ids", "keygen", "none/keys.toml"]);
    assert!(!told.stderr.contains("primary"), "{told:?}");
    told.refused(4, "check who may write the file and its directory");
}

#[test]
fn keys_come_from_the_environment_too() {
    let user = User::new();
    let json = r#"{"keys":{"1":"2b7e151628aed2a6abf7158809cf4f3c"}}"#;
    for document in [KEYS, json] {
        let mut command = user.command(&["public-ids", "encode", "--type", "order", ID]);
        let output = command.env("SNOWMINT_PUBLIC_ID_KEYS", document).output().unwrap();
        assert!(output.stdout.starts_with(b"order_1"), "{output:?}");
    }
    user.run(&["public-ids", "encode", "--type", "order", ID])
        .refused(2, "SNOWMINT_PUBLIC_ID_KEYS");
}

#[test]
fn keys_of_any_variable_are_named() {
    let user = User::new();
    let with_keys = |command: &str, source: &str, text: &str| {
        let arguments = ["public-ids", command, "--keys", source, "--type", "order", text];
        finish(user.command(&arguments).env("SHOP_KEYS", KEYS))
    };
    let public = with_keys("encode", "env:SHOP_KEYS", ID).done();
    assert_eq!(with_keys("decode", "env:SHOP_KEYS", public.trim()).done(), format!("{ID}\n"));
    with_keys("encode", "env:OTHER_KEYS", ID).refused(2, "OTHER_KEYS has no keys");
    with_keys("encode", "env:", ID).refused(2, "SNOWMINT_PUBLIC_ID_KEYS has no keys");
    with_keys("encode", "./env:SHOP_KEYS", ID).refused(2, "cannot be read");
}

#[test]
fn keys_go_to_standard_output_and_to_no_file_of_that_name() {
    let user = User::new();
    for arguments in [&["public-ids", "keygen"][..], &["public-ids", "keygen", "-"]] {
        let document = user.run(arguments).done();
        assert!(document.contains("\n[keys]\n1 = \""), "{document}");
        let mut command = user.command(&["public-ids", "encode", "--type", "order", ID]);
        finish(command.env("SNOWMINT_PUBLIC_ID_KEYS", document)).done();
    }
    let written = "env:SHOP_KEYS: an environment variable is not written";
    user.run(&["public-ids", "keygen", "env:SHOP_KEYS"]).refused(2, written);
    user.run(&["public-ids", "rotate", "env:SHOP_KEYS"]).refused(2, written);
    user.run(&["public-ids", "rotate", "-"])
        .refused(2, "-: the standard streams are no file of keys");
    assert_eq!(fs::read_dir(user.home.path()).unwrap().count(), 0, "no file is made");
    user.run(&["public-ids", "keygen", "./-"]).done();
    user.run(&["public-ids", "rotate", "./-"]).done();
}

#[test]
fn a_file_is_made_once_for_its_owner() {
    let user = user();
    let made = fs::read_to_string(user.path("keys.toml")).unwrap();
    user.run(&["public-ids", "keygen", "keys.toml"]).refused(2, "it is there already");
    assert_eq!(fs::read_to_string(user.path("keys.toml")).unwrap(), made);
    user.run(&["public-ids", "keygen", "none/keys.toml"]).refused(4, "its directory is not there");
    let printed = user.run(&["public-ids", "keygen", "--realm", "shop"]).done();
    assert!(
        printed.contains("\nrealm = \"shop\"\ncurrent = \"1\"\nnumbers = \"1\"\n"),
        "{printed}"
    );
    user.run(&["public-ids", "keygen", "--realm", "a b"]).refused(2, "a realm is at most");
}

#[cfg(unix)]
#[test]
fn a_file_that_others_may_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;

    let user = user();
    let path = user.path("keys.toml");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    user.public_ids("encode", &[ID]).refused(2, "error[keys_exposed]: keys.toml: others");
    user.run(&["public-ids", "rotate", "keys.toml"]).refused(2, "(mode 0644): chmod 600");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
    user.run(&["public-ids", "rotate", "keys.toml"]).done();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o400, "as it was");
    std::os::unix::fs::symlink("keys.toml", user.path("link")).unwrap();
    user.run(&["public-ids", "rotate", "link"]).done();
    assert!(fs::symlink_metadata(user.path("link")).unwrap().is_symlink());
    assert!(fs::read_to_string(&path).unwrap().contains("current = \"3\""));
}

#[test]
fn wrong_input_is_refused() {
    let user = user();
    let refused =
        |more: &[&str], message: &str| user.public_ids("encode", more).refused(2, message);
    refused(&["ten"], "hint: IDs are decimal");
    refused(&["123e4567-e89b-12d3-a456-426614174000"], "IDs are decimal");
    refused(&["--bits", "53", "1"], "--bits belongs to --form number");
    refused(&["--form", "number", "--bits", "32", "1"], "64, 63 or 53 bits");
    refused(&["--form", "number", "--bits", "53", "9007199254740992"], "more than 53 bits");
    user.public_ids("decode", &["--form", "uuid", "ten"]).refused(2, "\"ten\"");
    user.public_ids("decode", &["--form", "uuid", "ten"]).refused(2, "hint: compare it with where");
    user.public_ids("decode", &["--form", "number", "--bits", "53", "9007199254740992"])
        .refused(2, "error[text_overflow]: \"9007199254740992\": it has more than 53 bits");
    let arguments = ["public-ids", "encode", "--keys", "keys.toml", "--type", "Order", "1"];
    user.run(&arguments).refused(2, "a type is 1 to 32");
    user.run(&["public-ids", "rotate", "none.toml"]).refused(2, "cannot be read");
    user.run(&["public-ids", "rotate", "keys.toml", "--current", "7"])
        .refused(2, "no key has that");
    user.run(&["public-ids", "rotate", "keys.toml", "--remove", "1", "--add-only"])
        .refused(2, "cannot");
    fs::write(user.path("keys.toml"), "[keys]\n1 = 'correct horse battery staple'\n").unwrap();
    let told = user.public_ids("encode", &["1"]);
    assert!(!told.stderr.contains("horse"), "{told:?}");
    told.refused(2, "keys.toml: key 1 is not written in hexadecimal digits");
}
