-- No worker ID of the realm is renewed or taken until the transaction ends.
SELECT count(*) FROM snowmint_worker WHERE realm = :realm FOR UPDATE
