CREATE TABLE cosid (
    name            varchar(100)    NOT NULL COMMENT '{namespace}.{name}',
    last_max_id     bigint unsigned NOT NULL DEFAULT 0,
    last_fetch_time bigint unsigned NOT NULL DEFAULT 0,
    CONSTRAINT cosid_pk PRIMARY KEY (name)
) ENGINE=InnoDB;
INSERT INTO cosid (name, last_max_id, last_fetch_time) VALUE ('shop.orders', 0, unix_timestamp());
