# --8<-- [start:install]
npm install drizzle-orm pg
npm install --save-dev drizzle-kit vitest
# --8<-- [end:install]
# --8<-- [start:settings]
. ./settings.sh
npx snowmint migrate "$IDS_STORE"
# --8<-- [end:settings]
# --8<-- [start:pin]
pin=$(npx snowmint migrate "$IDS_STORE" | grep -o 'key_space=.*')
grep -q key_space= settings.sh || echo "export IDS_STORE='$IDS_STORE?$pin'" >>settings.sh # with & for ? if the URL has parameters already
. ./settings.sh
# --8<-- [end:pin]
# --8<-- [start:migrations]
npx drizzle-kit generate --name orders
npx drizzle-kit migrate
# --8<-- [end:migrations]
# --8<-- [start:express]
npm install express
# --8<-- [end:express]
# --8<-- [start:fastify]
npm install fastify
# --8<-- [end:fastify]
# --8<-- [start:nest]
npm install @nestjs/common @nestjs/core @nestjs/platform-express class-transformer reflect-metadata rxjs
npm install --save-dev typescript
# --8<-- [end:nest]
# --8<-- [start:keys]
# Only you may read the file, and a file that exists is left as it is.
(umask 077; set -C; node -e "console.log(require('snowmint').PublicIdKeys.generate().toToml())" >keys.toml) &&
  echo "export SNOWMINT_PUBLIC_ID_KEYS=\"\$(cat '$PWD/keys.toml')\"" >>settings.sh
. ./settings.sh
# --8<-- [end:keys]
# --8<-- [start:tests]
DATABASE_URL=$TEST_DATABASE_URL npx drizzle-kit migrate
npx vitest run
# --8<-- [end:tests]
# --8<-- [start:deploy-express]
sh deploy.sh express-server.js
# --8<-- [end:deploy-express]
# --8<-- [start:deploy-fastify]
sh deploy.sh fastify-server.js
# --8<-- [end:deploy-fastify]
# --8<-- [start:deploy-nest]
npx tsc
sh deploy.sh dist/nest-server.js
# --8<-- [end:deploy-nest]
