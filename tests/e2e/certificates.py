"""Authorities and certificates for tests, by openssl."""

import ssl
import subprocess

NEW_KEY = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout"
NAMES = "subjectAltName=DNS:localhost,IP:127.0.0.1\n"


class Authority:
    """Vouches for whoever a test says; its files are in a directory of its own."""

    def __init__(self, directory):
        self.directory = directory
        directory.mkdir()
        self._openssl(f"req -x509 {NEW_KEY} ca.key -out ca.pem -days 90 -subj /CN=ca")
        self.file = directory / "ca.pem"

    def _openssl(self, words):
        command = ["openssl", *words.split()]
        subprocess.run(command, cwd=self.directory, check=True, capture_output=True)

    def issue(self, name, days=60):
        """A certificate and its key; of less than no days one that has ended."""
        (self.directory / "names").write_text(NAMES)
        self._openssl(f"req {NEW_KEY} {name}.key -out {name}.csr -subj /CN={name}")
        self._openssl(
            f"x509 -req -in {name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days {days} "
            f"-extfile names -out {name}.pem"
        )
        return self.directory / f"{name}.pem", self.directory / f"{name}.key"

    def context(self, own=None):
        """Returns the context of a client that trusts it, with a certificate of its own or none."""
        context = ssl.create_default_context(cafile=self.file)
        if own:
            context.load_cert_chain(*own)
        return context
