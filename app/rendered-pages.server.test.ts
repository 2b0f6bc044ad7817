import { expect, test, vi } from 'vitest'
import { createRenderedPages, type Rendered } from './rendered-pages.server.ts'

/** Renders texts in turn, with a nonce at both ends. */
function rendererOf(texts: string[], isComplete = true) {
  return vi.fn(async (nonce: string, page: PromiseWithResolvers<Rendered>) => {
    const html = Buffer.from(`<script nonce="${nonce}">${texts.shift()}</script nonce="${nonce}">`)
    page.resolve({ html, isComplete })
  })
}

const pageWith = (nonce: string, text: string) => `<script nonce="${nonce}">${text}</script nonce="${nonce}">`

test('a page is rendered once for the same data, also when it is asked for twice at once, and each response has its own nonce', async () => {
  const rendered = createRenderedPages()
  const render = rendererOf(['chain – €5', 'hub'])
  const show = async (data: unknown, nonce: string) => String(await rendered(data, nonce, render))
  const pages = await Promise.all([show(['/parts', 5], 'n1'), show(['/parts', 5], 'n2')])
  expect(pages).toEqual([pageWith('n1', 'chain – €5'), pageWith('n2', 'chain – €5')])
  expect(await show(['/parts', 5], 'n3')).toBe(pageWith('n3', 'chain – €5'))
  expect(await show(['/parts', 6], 'n4')).toBe(pageWith('n4', 'hub'))
  expect(render).toHaveBeenCalledTimes(2)
})

test('a page with an error, or one that is incomplete, is rendered again', async () => {
  const rendered = createRenderedPages()
  const incomplete = rendererOf(['1', '2'], false)
  const failing = vi.fn().mockRejectedValue(new Error('failed'))
  for (const text of ['1', '2']) expect(String(await rendered(['/a'], 'n', incomplete))).toContain(text)
  await expect(rendered(['/b'], 'n', failing)).rejects.toThrow('failed')
  expect(String(await rendered(['/b'], 'n', rendererOf(['3'])))).toContain('3')
  for (const text of ['4', '5']) expect(String(await rendered(null, 'n', rendererOf([text])))).toContain(text)
})
