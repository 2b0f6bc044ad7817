import { catalogueFields } from './catalogue-fields.ts'
import { orderFields } from './order-fields.ts'
import type { FieldFact } from './schema.ts'
import { shopFields } from './shop-fields.ts'

const facts: Record<string, FieldFact> = { ...catalogueFields, ...orderFields, ...shopFields }

/** Where its name says too little, a field has a row of its own for what it is in, such as `part.name`. */
export function findFact(name: string, parents: string[]): FieldFact | undefined {
  const scoped = parents.map((parent) => `${parent}.${name}`).find((key) => key in facts)
  return facts[scoped ?? name]
}
