import { expect, test } from 'vitest'
import { addGeneratedNames, listFailedSearches, seed } from '#test/generated-names.ts'
import { testShop } from '#test/shop.ts'

/** NAMES=10000 takes long on a machine that does much else. */
const timeoutMs = 3_600_000

test(
  'each of many generated names finds its part first, however it is written',
  async () => {
    const shop = await testShop()
    for (const part of await addGeneratedNames(shop, Number(process.env.NAMES ?? 1_000), seed))
      expect(
        await listFailedSearches(shop, part, { all: false }),
        `SEED=${seed}: ${JSON.stringify(part.name)}`,
      ).toEqual([])
  },
  timeoutMs,
)
