// --8<-- [start:ids]
import 'reflect-metadata'
import { BadRequestException, Injectable, type PipeTransform, applyDecorators } from '@nestjs/common'
import { Transform, plainToInstance } from 'class-transformer'
import * as requests from './requests.js'

function readId(text: unknown): bigint {
  try {
    return requests.readId(text)
  } catch (error) {
    throw new BadRequestException((error as Error).message)
  }
}

/** Reads the ID of a path or a query. */
@Injectable()
export class ParseId implements PipeTransform<string, bigint> {
  transform(text: string): bigint {
    return readId(text)
  }
}

/** An ID in a class of class-transformer: a string in JSON, a bigint in the class. */
export function Id() {
  const decorate = applyDecorators(
    Transform(({ value }) => String(value), { toPlainOnly: true }),
    Transform(({ value }) => readId(value), { toClassOnly: true }),
  )
  // Refuses a property of another type when it is compiled.
  return <K extends string>(target: { [key in K]: bigint }, property: K) => decorate(target, property)
}
// --8<-- [end:ids]

// --8<-- [start:application]
import { Body, Controller, Get, Module, NotFoundException, Param, Post, Query } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { replacer } from 'snowmint'
import { addLine, addOrder, findOrder, listOrders } from './orders.js'
import { flake } from './ids.js'

export class NewLine {
  @Id() orderId!: bigint
  item!: string
}

@Controller()
class Orders {
  @Post('orders')
  async add(@Body() { customer, items = [], replaces }: { customer: string, items?: string[], replaces?: unknown }) {
    return findOrder(await addOrder({ customer, items, replaces: replaces == null ? null : readId(replaces) }))
  }

  @Post('lines')
  async addLine(@Body() body: object) {
    return { id: await addLine(plainToInstance(NewLine, body)) }
  }

  @Get('orders')
  list(@Query('after') after = '0') {
    return listOrders(readId(after))
  }

  @Get('orders/:id')
  async show(@Param('id', ParseId) id: bigint) {
    const order = await findOrder(id)
    if (order === undefined) throw new NotFoundException()
    return order
  }
}

@Module({ controllers: [Orders] })
class Shop {
  async onModuleInit() {
    await flake.ready() // a wrong URL, or a store without tables, ends the start here
  }
}

export async function createApp() {
  const app = await NestFactory.create<NestExpressApplication>(Shop, { logger: ['error', 'warn'] })
  app.set('json replacer', replacer) // a bigint leaves as a string
  return app
}
// --8<-- [end:application]
