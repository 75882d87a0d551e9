CREATE TABLE tiny_id_info (
    id bigint(20) unsigned NOT NULL AUTO_INCREMENT,
    biz_type varchar(63) NOT NULL DEFAULT '',
    begin_id bigint(20) NOT NULL DEFAULT '0',
    max_id bigint(20) NOT NULL DEFAULT '0',
    step int(11) DEFAULT '0',
    delta int(11) NOT NULL DEFAULT '1',
    remainder int(11) NOT NULL DEFAULT '0',
    create_time timestamp NOT NULL DEFAULT '2010-01-01 00:00:00',
    update_time timestamp NOT NULL DEFAULT '2010-01-01 00:00:00',
    version bigint(20) NOT NULL DEFAULT '0',
    PRIMARY KEY (id),
    UNIQUE KEY uniq_biz_type (biz_type)
) ENGINE=InnoDB DEFAULT CHARSET=utf8;
INSERT INTO tiny_id_info (biz_type, begin_id, max_id, step) VALUES ('orders', 1, 1, 1000);
