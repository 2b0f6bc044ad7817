import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('createTurns does at most so much of a key at a time, also once some is done', async () => {
  const takeTurns = createTurns(2)
  const started: string[] = []
  const begin = (name: string, key = 'ada') => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const done = takeTurns(key, async ({ late }) => {
      started.push(late ? `${name} late` : name)
      await promise
    })
    const finish = () => {
      resolve()
      return done
    }
    return { finish }
  }
  const [one, two, three] = [begin('1'), begin('2'), begin('3')]
  begin('of another', 'bob')
  await expect.poll(() => started).toEqual(['1', '2', 'of another'])
  await one.finish()
  const four = begin('4')
  await expect.poll(() => started.slice(3)).toEqual(['3 late'])
  await two.finish()
  await three.finish()
  await four.finish()
  await begin('5').finish()
  expect(started.slice(3)).toEqual(['3 late', '4 late', '5'])
})
