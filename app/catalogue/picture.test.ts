import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Picture } from './picture.tsx'

const hash = '0123456789abcdef'.repeat(2)
const render = (props: Partial<Parameters<typeof Picture>[0]>) =>
  renderToStaticMarkup(createElement(Picture, { src: '/person.svg', alt: 'A hub', sizes: '50vw', ...props }))

test('Picture offers an uploaded image as AVIF, then as WebP, and sets its width and height', () => {
  const html = render({ src: `/images/${hash}.webp` })
  expect(html).toMatch(/<source [^>]*type="image\/avif".*<source [^>]*type="image\/webp".*<img /)
  expect(html.match(/sizes="50vw"/g)).toHaveLength(2)
  expect(html).toContain(`src="/images/${hash}-960.jpg" alt="A hub" width="1200" height="900"`)
})

test('Picture renders any other image without alternative sources', () => {
  expect(render({})).not.toContain('<source')
  expect(render({})).toContain('src="/person.svg"')
})

test('Picture loads lazily by default and eagerly with high priority on request', () => {
  expect(render({})).toContain('loading="lazy"')
  expect(render({})).not.toContain('fetchPriority')
  const first = render({ loading: 'eager', fetchPriority: 'high' })
  expect(first).toContain('loading="eager"')
  expect(first).toContain('fetchPriority="high"')
})
