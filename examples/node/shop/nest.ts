// --8<-- [start:ids]
import 'reflect-metadata'
import { Injectable, type PipeTransform, applyDecorators } from '@nestjs/common'
import { Transform, plainToInstance } from 'class-transformer'
import { readId, readOptionalId, readPage } from './requests.js'

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

// --8<-- [start:errors]
import { type ArgumentsHost, Catch, HttpException, Logger } from '@nestjs/common'
import { BaseExceptionFilter } from '@nestjs/core'
import { answerTo, found } from './errors.js'

/** Answers errors that are none of Nest's own. */
@Catch()
export class Answers extends BaseExceptionFilter {
  catch(error: unknown, host: ArgumentsHost) {
    if (error instanceof HttpException) return super.catch(error, host)
    const { status, body } = answerTo(error)
    if (status >= 500) Logger.error(error)
    super.catch(new HttpException(body, status), host)
  }
}
// --8<-- [end:errors]

// --8<-- [start:routes]
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common'
import { addLine, addOrder, changeOrder, findOrder, listOrders, removeOrder } from './orders.js'

export class NewLine {
  @Id() orderId!: bigint
  item!: string
}

interface Changes {
  customer: string
  replaces?: unknown // readOptionalId reads it
}

@Controller()
class Orders {
  @Post('orders')
  async add(@Body() { customer, items, replaces, key }: Changes & { items?: string[], key?: string }) {
    return findOrder(await addOrder({ customer, items, replaces: readOptionalId(replaces), key }))
  }

  @Post('lines')
  addLine(@Body() body: object) {
    return addLine(plainToInstance(NewLine, body))
  }

  @Get('orders')
  list(@Query() query: Record<string, string>) {
    return listOrders(readPage(query))
  }

  @Get('orders/:id')
  async show(@Param('id', ParseId) id: bigint) {
    return found(await findOrder(id))
  }

  @Patch('orders/:id')
  async change(@Param('id', ParseId) id: bigint, @Body() { customer, replaces }: Changes) {
    return found(await changeOrder(id, { customer, replaces: readOptionalId(replaces) }))
  }

  @Delete('orders/:id')
  @HttpCode(204)
  async remove(@Param('id', ParseId) id: bigint) {
    found(await removeOrder(id) || undefined)
  }
}
// --8<-- [end:routes]

// --8<-- [start:public]
import { publicOrder, publicOrders, readPublicId } from './public.js'

@Controller('public')
class PublicOrders {
  @Get('orders/:id')
  async show(@Param('id') text: string) {
    return publicOrder(found(await findOrder(readPublicId('order', text))))
  }

  @Get('customers/:customer/orders')
  list(@Param('customer') customer: string, @Query('after') after?: string) {
    return publicOrders(customer, after)
  }
}
// --8<-- [end:public]

// --8<-- [start:application]
import { Module } from '@nestjs/common'
import { HttpAdapterHost, NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { replacer } from 'snowmint'
import { flake } from './ids.js'

@Module({ controllers: [Orders, PublicOrders] })
class Shop {
  async onModuleInit() {
    await flake.ready() // a wrong URL, or a store without tables, ends the start here
  }
}

export async function createApp() {
  const app = await NestFactory.create<NestExpressApplication>(Shop, { logger: ['error', 'warn'] })
  app.set('json replacer', replacer) // a bigint leaves as a string
  app.useGlobalFilters(new Answers(app.get(HttpAdapterHost).httpAdapter))
  return app
}
// --8<-- [end:application]
