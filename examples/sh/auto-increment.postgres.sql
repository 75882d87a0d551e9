CREATE TABLE orders (id bigserial PRIMARY KEY, item text); INSERT INTO orders (item) VALUES ($$tea$$);
