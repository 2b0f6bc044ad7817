import { expect, test } from 'vitest'
import { withUnavailablePages } from './unavailable.server.ts'

function loaderThatThrows(error: Error) {
  const loader = () => Promise.reject(error)
  const routes = { page: { id: 'page', path: '/', module: { default: () => null, loader } } }
  return withUnavailablePages({ routes }).routes.page.module.loader as () => Promise<unknown>
}

test('a page whose database is away responds with 503 and Retry-After, and other errors stay what they are', async () => {
  const failed = new Error('Failed query', { cause: Object.assign(new Error('sorry'), { code: '53300' }) })
  const response = (await loaderThatThrows(failed)().catch((thrown) => thrown)) as Response
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await response.json()).toEqual({
    message: 'The shop is temporarily unavailable. Try again in a moment.',
  })
  const defect = new Error('a defect')
  await expect(loaderThatThrows(defect)()).rejects.toBe(defect)
})
