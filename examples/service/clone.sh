# --8<-- [start:kill]
systemctl kill --signal KILL snowmint
systemctl status snowmint
# --8<-- [end:kill]
