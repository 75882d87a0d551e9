CREATE TABLE leaf_alloc (
    biz_tag varchar(128) NOT NULL DEFAULT '' PRIMARY KEY,
    max_id bigint NOT NULL DEFAULT 1,
    step int NOT NULL,
    description varchar(256) DEFAULT NULL,
    update_time timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP
);
INSERT INTO leaf_alloc (biz_tag, step) VALUES ('orders', 1000);
