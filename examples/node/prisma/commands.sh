# --8<-- [start:install]
npm install @prisma/client @prisma/adapter-pg
npm install --save-dev prisma vitest
# --8<-- [end:install]
# --8<-- [start:settings]
export DATABASE_URL=postgres://shop@localhost/shop   # the application's tables
export IDS_STORE=$DATABASE_URL                       # snowmint's, in a schema of their own
npx snowmint migrate "$IDS_STORE"                    # creates the tables of IDS_STORE
# --8<-- [end:settings]
# --8<-- [start:migrations]
npx prisma migrate dev --name orders
npx prisma generate
# --8<-- [end:migrations]
# --8<-- [start:tests]
npx vitest run
# --8<-- [end:tests]
