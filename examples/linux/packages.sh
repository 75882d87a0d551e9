# --8<-- [start:deb]
apt install ./snowmint_*.deb
# --8<-- [end:deb]
# --8<-- [start:rpm]
dnf install ./snowmint-*.rpm
# --8<-- [end:rpm]
# --8<-- [start:enable]
systemctl enable --now snowmint
# --8<-- [end:enable]
# --8<-- [start:data]
sudo -u snowmint snowmint worker list /var/lib/snowmint/ids.db
# --8<-- [end:data]
# --8<-- [start:deb-removal]
apt remove snowmint
# --8<-- [end:deb-removal]
# --8<-- [start:rpm-removal]
dnf remove snowmint
# --8<-- [end:rpm-removal]
