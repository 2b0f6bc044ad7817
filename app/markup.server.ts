import { LRUCache } from 'lru-cache'
import { type ComponentType, createElement } from 'react'
import { renderToString } from 'react-dom/server'
import type { MarkupOf } from '#app/catalogue/part-cards.tsx'

/** Some 2,000 cards of parts. */
const maxBytes = 16 * 1024 ** 2

/** Keeps what it has rendered, for each component by its props, which must be JSON. The least recently used goes first. */
export function createMarkup(): MarkupOf {
  const ids = new Map<unknown, number>()
  const kept = new LRUCache<string, string>({
    maxSize: maxBytes,
    sizeCalculation: (html, key) => 2 * (html.length + key.length),
  })
  const findId = (Card: unknown) => ids.get(Card) ?? ids.set(Card, ids.size).get(Card)
  return <Props extends object>(Card: ComponentType<Props>, props: Props) => {
    const key = `${findId(Card)} ${JSON.stringify(props)}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const html = renderToString(createElement(Card, props))
    kept.set(key, html)
    return html
  }
}
