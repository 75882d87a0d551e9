-- Returns the incarnation of the server that an operator has confirmed.
SELECT @snowmint_incarnation
