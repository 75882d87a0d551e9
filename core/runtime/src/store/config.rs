//! The configuration of a store, defined once: the macro [`config!`] makes its builder and the
//! parameters of its URLs from one list of fields.

use std::path::PathBuf;
use std::time::Duration;

use super::identity::{KEY_SPACE, KeySpaceId};
use crate::error::Result;
use crate::secrets::Secret;
use crate::url::{Parameters, invalid};

/// Defines a builder, its setters, and how it is read from the parameters of a URL.
///
/// ```text
/// config! {
///     /// Describes a cluster and how to open a store there.
///     #[derive(Clone, Debug, Default)]
///     pub struct EtcdBuilder with members, key_space {
///         /// Secures connections by TLS. Off by default.
///         tls: bool,
///         /// Sets the password. By default there is none.
///         password: Option<Secret> => "password",
///         /// Sets a PEM file of the authorities to trust.
///         ca_file: Option<PathBuf> => "cafile" if |it| it.tls,
///         identity: Option<Identity> => "certfile" & "keyfile" if |it| it.tls,
///         /// Declares that the server loses nothing that it acknowledged.
///         durability_declared: bool => "durability" { "checked" => false, "declared" => true },
///         _ => "dialect" & "table",
///     }
/// }
/// ```
///
/// - A field with documentation has a public setter of its name. The documentation is the setter's.
/// - `=> "name"` is the URL's parameter for the field, whose type is a [`Value`].
///   `=> "first" & "second"` are two parameters that give the field together, as a [`Pair`].
///   `{ "word" => value, … }` lists the words that the parameter accepts.
/// - `if |it| …` says for which URLs the parameter exists, by the builder that a scheme stands for.
/// - `_ =>` lists parameters without a field, which the store's own code reads.
/// - `with` adds the fields that several stores share. They are written here: see below.
///
/// All types have to be in scope.
macro_rules! config {
    // The shared fields.

    ($(#[$about:meta])* pub struct $builder:ident with key_space $(, $group:ident)* {
        $($own:tt)*
    }) => {
        $crate::store::config::config! {
            $(#[$about])*
            pub struct $builder with $($group),* {
                /// Begins a new key space if there is none, and creates its file or its tables. In a
                /// segment's URL it also creates the tag. Off by default.
                create: bool => "create",
                /// Requires this key space and refuses any other. By default the store keeps to the
                /// key space that it sees first.
                key_space: Option<KeySpaceId> => "key_space",
                $($own)*
            }
        }
    };

    ($(#[$about:meta])* pub struct $builder:ident with connection $(, $group:ident)* {
        $($own:tt)*
    }) => {
        $crate::store::config::config! {
            $(#[$about])*
            pub struct $builder with $($group),* {
                /// Limits how long a connection to one server may take. By default each server gets
                /// its share of the time of the call that needs the connection.
                connect_within: Option<Duration> => "connect_timeout",
                $($own)*
            }
        }
    };

    // For builders with a field `tls`. The names are those of Kubernetes for etcd's certificates.
    ($(#[$about:meta])* pub struct $builder:ident with certificates $(, $group:ident)* {
        $($own:tt)*
    }) => {
        $crate::store::config::config! {
            $(#[$about])*
            pub struct $builder with $($group),* {
                /// Sets a PEM file of the authorities to trust. By default the system's are trusted.
                ca_file: Option<PathBuf> => "cafile" if |it| it.tls,
                identity: Option<Identity> => "certfile" & "keyfile" if |it| it.tls,
                $($own)*
            }
        }

        impl $builder {
            /// Sets the PEM files of the client's certificate and its key, for servers that ask for
            /// one: etcd with `--client-cert-auth`, ZooKeeper unless `ssl.clientAuth` is `none`, an
            /// ID service with `tls.client_ca`.
            #[must_use]
            pub fn certificate(self, file: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Self {
                let identity = Identity { certificates: file.into(), key: key.into() };
                Self { identity: Some(identity), ..self }
            }
        }
    };

    // For builders with the fields `user`, `password` and `prefix`. The default port is the `PORT`
    // in scope.
    ($(#[$about:meta])* pub struct $builder:ident with members $(, $group:ident)* {
        $($own:tt)*
    }) => {
        $crate::store::config::config! {
            $(#[$about])*
            pub struct $builder with $($group),* {
                members: Vec<Member>,
                $($own)*
            }
        }

        impl $builder {
            /// Adds a member of the cluster by its name or address. Without any, the member is
            /// `localhost`. Members are tried in turn; the store skips one that does not answer.
            #[must_use]
            pub fn member(mut self, name: impl Into<String>, port: impl Into<Option<u16>>) -> Self {
                self.members.push(Member { name: name.into(), port: port.into().unwrap_or(PORT) });
                self
            }

            /// Reads a URL whose path is the prefix.
            pub(super) fn of_url(
                mut self,
                machines: &$crate::url::Machines,
                own: &mut $crate::url::Parameters,
            ) -> $crate::error::Result<Self> {
                for host in &machines.hosts {
                    self = self.member(&host.host, host.port);
                }
                let prefix = machines.path.trim_matches('/');
                self.prefix = (!prefix.is_empty()).then(|| prefix.to_owned());
                own.log_in(machines)?;
                self.configured(own)
            }
        }
    };

    // The builder with all of its fields.

    ($(#[$about:meta])* pub struct $builder:ident with {
        $(
            $(#[$doc:meta])*
            $field:ident: $type:ident $(<$inner:ident>)?
            $(
                => $name:literal $(& $second:literal)? $({ $($words:tt)+ })?
                $(if $is_of:expr)?
            )?,
        )*
        $(_ => $($further:literal)&+ $(if $is_of_further:expr)?,)*
    }) => {
        $(#[$about])*
        pub struct $builder {
            $(pub(super) $field: $type $(<$inner>)?,)*
        }

        impl $builder {
            $($crate::store::config::config! {
                @setter [$(#[$doc])*] $field: $type $(<$inner>)?
            })*
        }

        impl $builder {
            /// All parameters, in the order in which messages list them.
            const PARAMETERS: &'static [$crate::store::config::Parameter<Self>] = &[
                $($(
                    $crate::store::config::Parameter::<Self>::new(&[$name $(, $second)?], |builder, own| {
                        $crate::store::config::config! {
                            @take builder.$field, own, $name $(& $second)? $({ $($words)+ })?
                        }
                        Ok(())
                    })
                    $(.only($is_of))?,
                )?)*
                $(
                    $crate::store::config::Parameter::<Self>::new(&[$($further),+], |_, _| Ok(()))
                    $(.only($is_of_further))?,
                )*
            ];

            /// Returns the names of the parameters of a URL whose scheme stands for this builder.
            pub(crate) fn names(&self) -> Vec<&'static str> {
                $crate::store::config::names(self, Self::PARAMETERS)
            }

            /// Sets each field whose parameters the URL has.
            pub(crate) fn configured(
                self,
                own: &mut $crate::url::Parameters,
            ) -> $crate::error::Result<Self> {
                $crate::store::config::configured(self, Self::PARAMETERS, own)
            }
        }
    };

    // The setter of a field.

    (@setter [] $($field:tt)*) => {};
    (@setter [$($doc:tt)+] $field:ident: Option<Secret>) => {
        $crate::store::config::config! {
            @setter [$($doc)+] $field, impl Into<String>, Some(Secret($field.into()))
        }
    };
    (@setter [$($doc:tt)+] $field:ident: Option<String>) => {
        $crate::store::config::config! {
            @setter [$($doc)+] $field, impl Into<String>, Some($field.into())
        }
    };
    (@setter [$($doc:tt)+] $field:ident: Option<PathBuf>) => {
        $crate::store::config::config! {
            @setter [$($doc)+] $field, impl Into<PathBuf>, Some($field.into())
        }
    };
    (@setter [$($doc:tt)+] $field:ident: Option<$type:ident>) => {
        $crate::store::config::config! { @setter [$($doc)+] $field, $type, Some($field) }
    };
    (@setter [$($doc:tt)+] $field:ident: String) => {
        $crate::store::config::config! {
            @setter [$($doc)+] $field, impl Into<String>, $field.into()
        }
    };
    (@setter [$($doc:tt)+] $field:ident: $type:ident) => {
        $crate::store::config::config! { @setter [$($doc)+] $field, $type, $field }
    };
    (@setter [$($doc:tt)+] $field:ident, $argument:ty, $value:expr) => {
        $($doc)+
        #[must_use]
        pub fn $field(self, $field: $argument) -> Self {
            Self { $field: $value, ..self }
        }
    };

    // Sets a field from its parameters.

    (@take $builder:ident.$field:ident, $own:ident, $name:literal) => {
        if let Some(value) = $crate::store::config::value($own, $name)? {
            $builder.$field = value;
        }
    };
    (@take $builder:ident.$field:ident, $own:ident, $first:literal & $second:literal) => {
        $builder.$field = $crate::store::config::Pair::take($own, [$first, $second])?;
    };
    (@take $builder:ident.$field:ident, $own:ident, $name:literal {
        $($word:literal => $value:expr),+
    }) => {
        if let Some(value) = $crate::store::config::word($own, $name, &[$(($word, $value)),+])? {
            $builder.$field = value;
        }
    };
}
pub(crate) use config;

/// A parameter of a URL that a builder is read from, or several that belong together.
pub(crate) struct Parameter<B> {
    names: &'static [&'static str],
    /// Returns true if the URLs have the parameter whose scheme stands for this builder.
    is_of: fn(&B) -> bool,
    take: fn(&mut B, &mut Parameters) -> Result<()>,
}

impl<B> Parameter<B> {
    pub(crate) const fn new(
        names: &'static [&'static str],
        take: fn(&mut B, &mut Parameters) -> Result<()>,
    ) -> Parameter<B> {
        Parameter { names, is_of: |_| true, take }
    }

    pub(crate) const fn only(self, is_of: fn(&B) -> bool) -> Parameter<B> {
        Parameter { is_of, ..self }
    }
}

pub(crate) fn names<B>(builder: &B, parameters: &[Parameter<B>]) -> Vec<&'static str> {
    let own = parameters.iter().filter(|parameter| (parameter.is_of)(builder));
    own.flat_map(|parameter| parameter.names).copied().collect()
}

pub(crate) fn configured<B>(
    mut builder: B,
    parameters: &[Parameter<B>],
    own: &mut Parameters,
) -> Result<B> {
    for parameter in parameters {
        (parameter.take)(&mut builder, own)?;
    }
    Ok(builder)
}

/// The type of a field that one parameter sets.
pub(crate) trait Value: Sized {
    /// The values that are possible, for the message about another one.
    const EXPECTED: &'static str;

    fn parse(text: &str) -> Option<Self>;
}

/// Takes the value of a parameter, if the URL has it.
pub(crate) fn value<T: Value>(own: &mut Parameters, name: &str) -> Result<Option<T>> {
    let Some(text) = own.take(name) else { return Ok(None) };
    let value = T::parse(&text).ok_or_else(|| invalid(name, &text, T::EXPECTED))?;
    Ok(Some(value))
}

impl<T: Value> Value for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;

    fn parse(text: &str) -> Option<Option<T>> {
        T::parse(text).map(Some)
    }
}

impl Value for bool {
    const EXPECTED: &'static str = "true or false";

    fn parse(text: &str) -> Option<bool> {
        text.parse().ok()
    }
}

impl Value for String {
    const EXPECTED: &'static str = "text";

    fn parse(text: &str) -> Option<String> {
        Some(text.to_owned())
    }
}

impl Value for Secret {
    const EXPECTED: &'static str = "text";

    fn parse(text: &str) -> Option<Secret> {
        Some(Secret(text.to_owned()))
    }
}

impl Value for PathBuf {
    const EXPECTED: &'static str = "the path of a file";

    fn parse(text: &str) -> Option<PathBuf> {
        Some(text.into())
    }
}

impl Value for KeySpaceId {
    const EXPECTED: &'static str = KEY_SPACE;

    fn parse(text: &str) -> Option<KeySpaceId> {
        text.parse().ok()
    }
}

impl Value for Option<Duration> {
    const EXPECTED: &'static str = "seconds from 1 on, or 0 for no bound";

    fn parse(text: &str) -> Option<Option<Duration>> {
        let seconds = text.parse().ok()?;
        Some((seconds > 0).then(|| Duration::from_secs(seconds)))
    }
}

/// The type of an optional field that two parameters set.
pub(crate) trait Pair: Sized {
    fn take(own: &mut Parameters, names: [&'static str; 2]) -> Result<Option<Self>>;
}

#[cfg(any(feature = "etcd", feature = "service", feature = "zookeeper"))]
impl Pair for super::remote::tls::Identity {
    fn take(own: &mut Parameters, [file, key]: [&'static str; 2]) -> Result<Option<Self>> {
        match (own.take(file), own.take(key)) {
            (None, None) => Ok(None),
            (Some(file), Some(key)) => {
                Ok(Some(Self { certificates: file.into(), key: key.into() }))
            }
            _ => Err(super::remote::errors::certificate_without_key(file, key)),
        }
    }
}

/// Takes the value of a parameter that accepts some words.
pub(crate) fn word<T: Copy>(
    own: &mut Parameters,
    name: &str,
    words: &[(&str, T)],
) -> Result<Option<T>> {
    let Some(text) = own.take(name) else { return Ok(None) };
    if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
        return Ok(Some(*value));
    }
    let words: Vec<_> = words.iter().map(|(word, _)| *word).collect();
    let (last, others) = words.split_last().expect("a parameter accepts some words");
    Err(invalid(name, &text, &format!("{} or {last}", others.join(", "))))
}

#[cfg(test)]
#[allow(unreachable_pub, reason = "the builders of all stores are public")]
pub(crate) mod tests {
    use snowmint_engine::Code;

    use super::*;
    use crate::url::{Address, Taker, UrlText};

    /// Reads a URL whose scheme has these parameters, and checks that all are taken.
    pub(crate) fn parsed<T>(
        url: &str,
        names: Vec<&'static str>,
        read: impl FnOnce(&Address, &mut Parameters) -> Result<T>,
    ) -> Result<T> {
        let text = UrlText::parse(url, "")?;
        let [mut own] = text.parameters(&[Taker { called: text.scheme, names }])?;
        let read = read(&text.address()?, &mut own)?;
        assert!(own.is_empty(), "not taken: {own:?}");
        Ok(read)
    }

    /// Checks that each URL is refused with its code, with a hint, and without showing a secret.
    pub(crate) fn assert_refused<T>(
        parsed: impl Fn(&str) -> Result<T>,
        urls: &[(&str, Code, &str)],
    ) {
        for (url, code, hint) in urls {
            let error = parsed(url).map(drop).unwrap_err();
            assert_eq!(error.code(), *code, "{url}: {error}");
            let shown = format!("{error} {error:?}");
            assert!(shown.contains(hint) && !shown.contains("S3CRET"), "{url}: {shown}");
        }
    }

    config! {
        /// A builder with a field of each kind.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Builder with connection, key_space {
            /// Off by default.
            tls: bool,
            /// None by default.
            user: Option<String> => "user",
            /// None by default.
            password: Option<Secret> => "password",
            /// None by default.
            file: Option<PathBuf> => "file" if |it| it.tls,
            /// Off by default.
            declared: bool => "durability" { "checked" => false, "declared" => true },
            /// Off by default.
            primary: bool => "server" { "any" => false, "primary" => true, "read-write" => true },
            pair: Option<Both> => "first" & "second",
            _ => "dialect" & "table" if |it| !it.tls,
        }
    }

    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(super) struct Both(String, String);

    impl Pair for Both {
        fn take(own: &mut Parameters, [first, second]: [&'static str; 2]) -> Result<Option<Both>> {
            Ok(own.take(first).zip(own.take(second)).map(|(first, second)| Both(first, second)))
        }
    }

    fn read(url: &str) -> Result<Builder> {
        let begun = Builder::default().tls(url.starts_with("tls:"));
        parsed(url, begun.names(), |_, own| {
            own.take("dialect");
            own.take("table");
            begun.configured(own)
        })
    }

    #[test]
    fn a_field_is_what_its_parameter_says() {
        let plain = Builder::default;
        let seconds = Duration::from_secs;
        let key_space = "00112233445566778899aabbccddeeff";
        for (url, meant) in [
            ("x:", plain()),
            ("x:?create=true", plain().create(true)),
            ("x:?create=false", plain()),
            (&*format!("x:?key_space={key_space}"), plain().key_space(key_space.parse().unwrap())),
            ("x:?connect_timeout=2", plain().connect_within(seconds(2))),
            ("x:?connect_timeout=0", plain()),
            ("x:?user=a%26b&password=c", plain().user("a&b").password("c")),
            ("tls:?file=/ca.pem", plain().tls(true).file("/ca.pem")),
            ("x:?durability=declared&server=read-write", plain().declared(true).primary(true)),
            ("x:?durability=checked&server=any", plain()),
            ("x:?second=2&first=1", {
                Builder { pair: Some(Both("1".to_owned(), "2".to_owned())), ..plain() }
            }),
            ("x:?dialect=a&table=b", plain()),
        ] {
            assert_eq!(read(url).unwrap(), meant, "{url}");
        }
    }

    #[test]
    fn what_no_field_can_be_is_refused() {
        let plain = ["user", "password", "durability", "server", "first", "second"];
        let names = ["create", "key_space", "connect_timeout"].into_iter().chain(plain);
        let of_tls = Builder::default().tls(true).names();
        assert_eq!(of_tls.iter().filter(|name| **name != "file").count(), names.clone().count());
        assert!(Builder::default().names().into_iter().eq(names.chain(["dialect", "table"])));
        let urls = [
            ("x:?create=yes", Code::InvalidParameter, "use true or false"),
            ("x:?key_space=7", Code::InvalidParameter, "the 32 hexadecimal digits"),
            ("x:?connect_timeout=-1", Code::InvalidParameter, "seconds from 1 on, or 0"),
            ("x:?durability=none", Code::InvalidParameter, "use checked or declared"),
            ("x:?server=b", Code::InvalidParameter, "use any, primary or read-write"),
            ("x:?file=/ca.pem", Code::UnknownParameter, "file"),
            ("tls:?dialect=a", Code::UnknownParameter, "dialect"),
            ("x:?password=S3CRET&passwor=S3CRET", Code::UnknownParameter, "password"),
        ];
        assert_refused(read, &urls);
    }
}
