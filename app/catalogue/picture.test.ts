import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Picture } from './picture.tsx'

const hash = '0123456789abcdef'.repeat(2)
const shown = (props: Partial<Parameters<typeof Picture>[0]>) =>
  renderToStaticMarkup(createElement(Picture, { src: '/person.svg', alt: 'A hub', sizes: '50vw', ...props }))

test('a picture of ours is offered as AVIF first, then as WebP, and keeps its place free', () => {
  const html = shown({ src: `/images/${hash}.webp` })
  expect(html).toMatch(/<source type="image\/avif".*<source type="image\/webp".*<img /)
  expect(html.match(/sizes="50vw"/g)).toHaveLength(2)
  expect(html).toContain(`src="/images/${hash}-960.jpg" alt="A hub" width="1200" height="900"`)
})

test('a picture from elsewhere is shown as it is', () => {
  expect(shown({})).not.toContain('<source')
  expect(shown({})).toContain('src="/person.svg"')
})

test('a picture waits until it is nearly seen, unless the page is about it', () => {
  expect(shown({})).toContain('loading="lazy"')
  expect(shown({})).not.toContain('fetchPriority')
  const first = shown({ loading: 'eager', fetchPriority: 'high' })
  expect(first).toContain('loading="eager"')
  expect(first).toContain('fetchPriority="high"')
})
