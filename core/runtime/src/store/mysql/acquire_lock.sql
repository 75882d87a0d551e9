-- Nobody renews or takes one of the realm's worker IDs until the transaction ends.
SELECT count(*) FROM snowmint_worker WHERE realm = :realm FOR UPDATE
