-- For which server an operator's word was.
SELECT @snowmint_incarnation
