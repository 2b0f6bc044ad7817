import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PartName } from './part-name.tsx'

test.each([
  ['Meridian 12-Speed Chain', ['12-Speed']],
  ['Fallow Rear Hub 32H, 12 x 148 mm', ['12 x 148 mm']],
  ['Lintel 60 mm Stem, 31.8 mm', ['60 mm', '31.8 mm']],
  ['Everyday 700C Inner Tube, Presta 48 mm, Pair', ['48 mm,']],
  ['Bramble 29 x 2.4 Trail Tyre', ['29 x 2.4']],
  ['Latch 4 more', []],
])('%s has no line break inside %j', (name, unbroken) => {
  const html = renderToStaticMarkup(PartName({ name }))
  expect(html.replaceAll(/<[^>]+>/g, '')).toBe(name)
  expect([...html.matchAll(/<span[^>]*>([^<]*)/g)].map(([, text]) => text)).toEqual(unbroken)
})
