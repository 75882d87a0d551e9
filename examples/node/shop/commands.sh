# --8<-- [start:install]
npm install express fastify drizzle-orm pg
npm install --save-dev drizzle-kit vitest
# --8<-- [end:install]
# --8<-- [start:settings]
export DATABASE_URL=postgres://shop@localhost/shop   # the application's tables
export IDS_STORE=$DATABASE_URL                       # snowmint's, in a schema of their own
npx snowmint migrate "$IDS_STORE"                    # creates the tables of IDS_STORE
# --8<-- [end:settings]
# --8<-- [start:keys]
# Only you may read the file, and a file that exists is left as it is.
(umask 077; set -C; node -e "console.log(require('snowmint').PublicIdKeys.generate().toToml())" >keys.toml)
export SNOWMINT_PUBLIC_ID_KEYS="$(cat keys.toml)"
# --8<-- [end:keys]
# --8<-- [start:migrations]
npx drizzle-kit generate --name orders
npx drizzle-kit migrate
# --8<-- [end:migrations]
# --8<-- [start:tests]
npx vitest run
# --8<-- [end:tests]
# --8<-- [start:nest]
npm install @nestjs/common @nestjs/core @nestjs/platform-express class-transformer reflect-metadata rxjs
npm install --save-dev typescript
# --8<-- [end:nest]
# --8<-- [start:serve]
node cluster.js
# --8<-- [end:serve]
# --8<-- [start:serve-nest]
npx tsc
node dist/nest-server.js
# --8<-- [end:serve-nest]
