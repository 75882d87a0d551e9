# --8<-- [start:database]
snowmint migrate postgres://ids@host/ids
snowmint segment create postgres://ids@host/ids orders --if-not-exists
snowmint doctor postgres://ids@host/ids # 0 refused
# --8<-- [end:database]
# --8<-- [start:user]
useradd --system --user-group --home-dir /var/lib/snowmint --shell /usr/sbin/nologin snowmint
install -d -m 750 /etc/snowmint
chgrp snowmint /etc/snowmint
# --8<-- [end:user]
# --8<-- [start:token]
snowmint token create --file /etc/snowmint/tokens.toml --name shop --sources orders,ids
# --8<-- [end:token]
touch /etc/snowmint/server.key
# --8<-- [start:rights]
chgrp snowmint /etc/snowmint/tokens.toml /etc/snowmint/server.key
chmod 640 /etc/snowmint/tokens.toml /etc/snowmint/server.key
# --8<-- [end:rights]
# --8<-- [start:program]
install -m 755 target/release/snowmint /usr/local/bin/
# --8<-- [end:program]
# --8<-- [start:upgrade]
cp -p /usr/local/bin/snowmint /usr/local/bin/snowmint.old
install -m 755 target/release/snowmint /usr/local/bin/
# --8<-- [end:upgrade]
# --8<-- [start:install]
install -m 644 packages/service/snowmint.service /etc/systemd/system/
systemctl daemon-reload
systemctl enable --now snowmint
# --8<-- [end:install]
# --8<-- [start:rotate]
# 1. A second token with the same rights.
snowmint token create --file /etc/snowmint/tokens.toml --name shop-2 --sources orders,ids
systemctl reload snowmint
# 2. Give it to the client. `snowmint top` shows which token is used.
# 3. Take the old token away:
# --8<-- [end:rotate]
# --8<-- [start:revoke]
snowmint token revoke --file /etc/snowmint/tokens.toml shop
systemctl reload snowmint
journalctl -u snowmint -n 3
# --8<-- [end:revoke]
# --8<-- [start:reload]
systemctl reload snowmint
journalctl -u snowmint -n 3
# --8<-- [end:reload]
