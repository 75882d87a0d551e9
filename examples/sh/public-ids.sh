# --8<-- [start:keys]
snowmint public-ids keygen /var/lib/shop/keys.toml
# --8<-- [end:keys]
# --8<-- [start:use]
snowmint public-ids encode --keys /var/lib/shop/keys.toml --type order 1541815603606036480 # order_1
snowmint id -n 3 | snowmint public-ids encode --keys /var/lib/shop/keys.toml --type order - >/var/lib/shop/tokens
snowmint public-ids decode --keys /var/lib/shop/keys.toml --type order - </var/lib/shop/tokens
# --8<-- [end:use]
# --8<-- [start:rotate]
snowmint public-ids rotate --add-only /var/lib/shop/keys.toml
# Now give the file to all processes, and restart them.
snowmint public-ids rotate --current 2 /var/lib/shop/keys.toml
# --8<-- [end:rotate]
# --8<-- [start:remove]
snowmint public-ids rotate --numbers 2 /var/lib/shop/keys.toml
snowmint public-ids rotate --remove 1 /var/lib/shop/keys.toml
# --8<-- [end:remove]
