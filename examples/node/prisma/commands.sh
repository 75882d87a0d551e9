# --8<-- [start:install]
npm install @prisma/client @prisma/adapter-pg
npm install --save-dev prisma vitest
# --8<-- [end:install]
# --8<-- [start:settings]
export DATABASE_URL=postgres://shop@localhost/shop
export TEST_DATABASE_URL=postgres://shop@localhost/shop_tests
export IDS_STORE=$DATABASE_URL
npx snowmint migrate "$IDS_STORE"
# --8<-- [end:settings]
# --8<-- [start:migrations]
npx prisma migrate dev --name orders
npx prisma generate
# --8<-- [end:migrations]
# --8<-- [start:tests]
DATABASE_URL=$TEST_DATABASE_URL npx prisma migrate deploy
npx vitest run
# --8<-- [end:tests]
