import { Code } from '#app/content/code.tsx'
import type { Article } from './article.ts'

const border = `
test('a part below its minimum is sold out', () => {
  const part = { minQuantity: 12, availableQuantity: 11 }
  expect(isSoldOut(part)).toBe(true)
})

test('a part with just its minimum is on sale', () => {
  const part = { minQuantity: 12, availableQuantity: 12 }
  expect(isSoldOut(part)).toBe(false)
})
`

export const article: Article = {
  id: 'unit-tests',
  question: 'What are unit tests, and why write them?',
  answer:
    'A unit test calls one small piece of a program with known inputs and checks what it answers. It is written so that a later change that breaks a rule is noticed within seconds, by name, by whoever makes the change.',
  body: (
    <>
      <p>
        This shop sells parts in minimum quantities. A part with fewer pieces left than its minimum cannot be
        ordered, and two tests say where that begins:
      </p>
      <Code label="Two unit tests of when a part is sold out">{border}</Code>
      <p>
        They stand on either side of the border, because that is where <code>&lt;</code> and{' '}
        <code>&lt;=</code> are confused. Each name is a sentence that says, when the test fails, what no
        longer holds. And each test has been seen to fail, by breaking the code on purpose: one that cannot
        fail is worse than none, because it is trusted.
      </p>
      <p>
        The return is that code can be changed. A library is upgraded or a function rewritten, and a moment
        later we know whether the rules still hold. A defect becomes a test before it is repaired, and does
        not come back unseen. What is hard to test often mixes a decision with its effects, on the database or
        by the clock; separating them helps readers as well.
      </p>
      <p>
        Unit tests do not show that the pieces fit. Whether two buyers can get the same last part is decided
        by the database, so we test it with sixty buyers at once on a real one; a mock would repeat what we
        believe. Test what a caller can see: a test of which inner function was called fails at every rewrite
        and finds little.
      </p>
      <p>
        Tests are code to look after. A throwaway experiment, a line of glue or the look of a page is rarely
        worth one. Coverage shows what has never run, not what is right, and as a target it breeds tests that
        check nothing.
      </p>
    </>
  ),
}
