import { expect, test } from 'vitest'
import {
  countMatching,
  labelSpecFilter,
  listChoices,
  matchesFilter,
  parseSpecFilter,
  readSpan,
  type ValueCount,
} from './spec-facets.ts'

const attribute = { key: 'size', name: 'Size', kind: 'number', unit: 'mm', choices: [] } as const
const number = { ...attribute, choices: [] as string[] }

test('parseSpecFilter reads a key and a value, or a range of numbers', () => {
  expect(parseSpecFilter('axle:12 × 148 mm')).toEqual({ key: 'axle', value: '12 × 148 mm', between: null })
  expect(parseSpecFilter('travel:100~150')).toEqual({ key: 'travel', value: '100~150', between: [100, 150] })
  for (const text of ['', 'axle', ':12']) expect(parseSpecFilter(text), text).toBeNull()
})

test('labelSpecFilter writes values as parts show them', () => {
  const label = (kind: 'number' | 'range' | 'yesNo' | 'choice', value: string) =>
    labelSpecFilter({ ...number, kind }, parseSpecFilter(`size:${value}`)!)
  expect(label('number', '180')).toBe('180 mm')
  expect(label('number', '100~150')).toBe('100–150 mm')
  expect(label('range', '28..42')).toBe('28–42 mm')
  expect(label('yesNo', 'no')).toBe('No')
  expect(label('choice', 'Post mount')).toBe('Post mount')
  expect(label('number', 'wide')).toBe('wide')
})

test('few numbers are listed by value, many as ranges that hold each part once', () => {
  const exact = (values: number[]): ValueCount[] => values.map((low) => ({ value: `${low}`, low, count: 1 }))
  expect(listChoices(number, exact([180, 160, 203])).map(({ value }) => value)).toEqual(['160', '180', '203'])

  const steps = [10, 12, 15, 20, 25, 30, 40, 50, 60, 80].map((low) => ({ value: `~${low}`, low, count: 3 }))
  const many = [...exact(Array.from({ length: 30 }, (_, i) => 10 + i)), ...steps]
  const ranges = listChoices(number, many)
  expect(ranges.length).toBeLessThanOrEqual(6)
  expect(ranges.reduce((sum, { count }) => sum + count, 0)).toBe(30)
  const bounds = ranges.map(({ value }) => parseSpecFilter(`size:${value}`)!.between!)
  expect(bounds[0]![0]).toBe(10)
  expect(bounds.at(-1)![1]).toBe(100)
  for (const [i, [from]] of bounds.entries()) if (i > 0) expect(from).toBe(bounds[i - 1]![1])
})

test('choices are listed in the order in which an admin wrote them', () => {
  const choice = { ...number, kind: 'choice' as const, choices: ['XS', 'S', 'M'] }
  const counts = ['M', 'XS'].map((value) => ({ value, low: null, count: 1 }))
  expect(listChoices(choice, counts).map(({ value }) => value)).toEqual(['XS', 'M'])
})

test('each choice of ranges counts the parts whose range has it, for any ranges', () => {
  const range = { ...number, kind: 'range' as const }
  for (let seed = 1; seed <= 200; seed++) {
    const random = createRandom(seed)
    const spans = Array.from({ length: 1 + random(40) }, () => {
      const low = random(seed % 2 ? 8 : 60) + random(2) / 2
      return { low, high: low + random(9) }
    })
    const toText = ({ low, high }: { low: number; high: number }) =>
      low === high ? `${low}` : `${low}..${high}`
    const counts = [...Map.groupBy(spans, toText)].map(([value, { length: count }]) => {
      return { value, low: readSpan(value)!.low, count }
    })
    const choices = listChoices(range, counts)
    expect(choices.length, `${seed}`).toBeLessThanOrEqual(10)
    const found = choices.map(({ value, count }) => {
      const filter = parseSpecFilter(`size:${value}`)!
      const matching = spans.filter(({ low, high }) =>
        filter.between
          ? low < filter.between[1] && high >= filter.between[0]
          : low <= Number(value) && high >= Number(value),
      )
      expect(count, `${seed} ${value}`).toBe(matching.length)
      expect(countMatching(counts, filter), `${seed} ${value}`).toBe(matching.length)
      expect(spans.filter((span) => matchesFilter(span, filter))).toEqual(matching)
      return matching
    })
    expect(new Set(found.flat()).size, `${seed}`).toBe(spans.length)
  }
})

function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}
