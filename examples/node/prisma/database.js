import { PrismaPg } from '@prisma/adapter-pg'
import prisma from '@prisma/client'
import { flake } from './ids.js'

const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL })

/** Rows of create() and createMany() that have no ID get one. */
export const database = new prisma.PrismaClient({ adapter }).$extends({
  query: {
    $allModels: {
      async create({ args, query }) {
        args.data.id ??= await flake.nextIdAsync()
        return query(args)
      },
      async createMany({ args, query }) {
        for (const row of [args.data].flat()) row.id ??= await flake.nextIdAsync()
        return query(args)
      },
    },
  },
})
