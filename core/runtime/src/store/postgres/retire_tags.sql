-- Has each tag give no range until an operator confirms this server. A copy goes on with its numbers.
UPDATE snowmint_segment SET incarnation = 'retired'
