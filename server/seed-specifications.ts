import { attributes, partAttributes, type Queries } from '#db/schema.ts'
import { demoAttributes, demoSpecifications } from '#db/seed/specifications.ts'
import { makeAttributeKey } from '#shop/specifications/keys.ts'
import type { Unit } from '#shop/specifications/units.ts'
import { parseSpecValue } from '#shop/specifications/values.ts'

interface SeededPart {
  _id: string
  partNumber: string
  category: string
}

/** Throws an Error for a value of the demo that its attribute does not allow. */
export async function seedSpecifications(tx: Queries, parts: SeededPart[]) {
  const rows = Object.entries(demoAttributes).flatMap(([category, ofCategory]) => {
    const taken = new Set<string>()
    return ofCategory.map((attribute, position) => {
      return { ...attribute, category, position, key: makeAttributeKey(attribute.name, taken) }
    })
  })
  const added = await tx.insert(attributes).values(rows).returning()
  const values = parts.flatMap(({ _id: partId, partNumber, category }) =>
    Object.entries(demoSpecifications[partNumber] ?? {}).map(([name, typed]) => {
      const attribute = added.find((one) => one.name === name && ['', category].includes(one.category))
      if (!attribute) throw new Error(`${partNumber}: no attribute ${name}`)
      const parsed = parseSpecValue({ ...attribute, unit: attribute.unit as Unit | null }, typed)
      if (parsed.error !== undefined) throw new Error(`${partNumber}, ${name}: ${parsed.error}`)
      return { partId, attributeId: attribute._id, ...parsed.value }
    }),
  )
  await tx.insert(partAttributes).values(values)
}
