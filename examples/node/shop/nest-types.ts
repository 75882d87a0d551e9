import { Id } from './nest.js'

export class Refused {
  // @ts-expect-error With enableImplicitConversion, a rounded number arrives here as a string.
  @Id() orderId!: string
}
