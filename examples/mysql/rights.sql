GRANT SELECT, UPDATE ON ids.snowmint_schema TO 'shop'@'%';
GRANT SELECT, INSERT, UPDATE ON ids.snowmint_worker TO 'shop'@'%';
GRANT SELECT, INSERT, UPDATE ON ids.snowmint_segment TO 'shop'@'%';
