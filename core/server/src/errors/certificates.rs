//! Errors of the certificates, keys and authorities of TLS.

use std::fmt::Display;
use std::path::Path;

use rustls::pki_types::pem::Error as PemError;
use snowmint::Error;

snowmint::errors! {
    file_unusable(setting: &str, file: &Path, why: impl Display) => InvalidParameter:
        "{setting}: {} cannot be used: {why}", file.display();

    file_too_long(setting: &str, file: &Path, max_bytes: u64) => file_unusable(setting, file):
        "it has more than {max_bytes} bytes";

    certificate_missing(setting: &str, file: &Path) => file_unusable(setting, file):
        "it has no CERTIFICATE in it";

    certificate_of_version_1(setting: &str, file: &Path) => file_unusable(setting, file):
        "it is of version 1, and TLS takes 3: give `openssl x509 -req` an -extfile";

    certificate_ended(setting: &str, file: &Path, day: &str) => file_unusable(setting, file):
        "the certificate ended on {day}: renew it";

    certificate_not_begun(setting: &str, file: &Path, day: &str) => file_unusable(setting, file):
        "the certificate begins on {day}";

    key_of_another_certificate(
        setting: &str,
        file: &Path,
        certificate: &Path,
    ) => file_unusable(setting, file):
        "it is not the key of {}", certificate.display();
}

/// The reader's own message would repeat bytes of the file.
pub(crate) fn pem_malformed(setting: &str, file: &Path, error: &PemError) -> Error {
    let why = match error {
        PemError::NoItemsFound => {
            "it has no PRIVATE KEY that is not encrypted: `openssl pkey` decrypts one"
        }
        PemError::MissingSectionEnd { .. } => "it ends within a section",
        PemError::IllegalSectionStart { .. } => "a section begins as none of PEM does",
        _ => "what is between BEGIN and END is no base64",
    };
    file_unusable(setting, file, why)
}

#[cfg(unix)]
pub(crate) fn key_exposed(setting: &str, file: &Path) -> Error {
    let file = file.display();
    let message = format!("{setting}: anybody may read {file}, or write it: chmod o-rw {file}");
    Error::new(snowmint::Code::UnsafeSetting, message)
}
