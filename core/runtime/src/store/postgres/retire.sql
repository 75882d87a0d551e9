-- Has the tables give no worker ID, and make no tags, until an operator confirms this server.
UPDATE snowmint_schema SET incarnation = 'retired', tag_incarnation = 'retired'
