CREATE TABLE orders (id bigint PRIMARY KEY);
INSERT INTO orders VALUES (98);
CREATE TABLE orders_SEQ (next_val bigint) ENGINE = InnoDB;
INSERT INTO orders_SEQ VALUES (151);
