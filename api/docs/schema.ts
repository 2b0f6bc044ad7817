/** What we use of JSON Schema. */
export interface Schema {
  type?: string | string[]
  format?: string
  enum?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  prefixItems?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
}

/** What a field means, and an example unless its type gives one. */
export type FieldFact = [meaning: string, example?: string | number | boolean | null]
