import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { PartCard, PartRow } from '#app/catalogue/part-card.tsx'
import { MarkupContext, PartCards } from '#app/catalogue/part-cards.tsx'
import { createMarkup } from './markup.server.ts'

const part = {
  _id: 'p1',
  name: 'Chain 12-Speed <new>',
  shortDescription: 'For 12 x 148 mm & more',
  image: '/images/0123456789abcdef.jpg',
  minQuantity: 5,
  availableQuantity: 1_200,
  perUnitPrice: 24,
  partNumber: 'WW-1001',
  multiple: 5,
  cartonSize: null,
  priceBreaks: [{ quantity: 50, unitPrice: 20 }],
}
const states = [part, { ...part, availableQuantity: 4 }, { ...part, availableQuantity: 1_195 }, part]

test('a card from memory has the HTML that React renders in its place, for each state of its part', () => {
  const renderMarkup = createMarkup()
  const withMemory = states.map((state) => {
    const cards = createElement(PartCards<{ part: typeof part; sizes: string }>, {
      className: 'grid',
      Card: PartCard,
      cards: [{ part: state, sizes: '20rem' }],
    })
    const rows = createElement(PartCards<{ part: typeof part }>, {
      className: 'list',
      Card: PartRow,
      cards: [{ part: state }],
    })
    const lists = createElement('main', null, cards, rows)
    const html = renderToString(createElement(MarkupContext, { value: renderMarkup }, lists))
    expect(html).toBe(renderToString(lists))
    return html
  })
  expect(new Set(withMemory).size).toBe(3)
})

test('a card is rendered once for each state of its part', () => {
  const renderMarkup = createMarkup()
  const Stock = vi.fn(({ stock }: { stock: number }) => createElement('p', null, stock))
  const html = [3, 3, 2, 3].map((stock) => renderMarkup(Stock, { stock }))
  expect(html).toEqual(['<p>3</p>', '<p>3</p>', '<p>2</p>', '<p>3</p>'])
  expect(Stock.mock.calls.map(([{ stock }]) => stock)).toEqual([3, 2])
})
