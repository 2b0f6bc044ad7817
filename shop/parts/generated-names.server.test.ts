import { expect, test } from 'vitest'
import { addGeneratedNames, listFailedSearches, seed } from '#test/generated-names.ts'
import { testShop } from '#test/shop.ts'

test('each of 300 generated names finds its part first, however it is written', async () => {
  const shop = await testShop()
  for (const part of await addGeneratedNames(shop, 300, seed))
    expect(
      await listFailedSearches(shop, part, { all: true }),
      `SEED=${seed}: ${JSON.stringify(part.name)}`,
    ).toEqual([])
})
