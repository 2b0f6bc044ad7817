import { Code } from '#app/content/code.tsx'
import type { Article } from './article.ts'

const border = `
test('a part below its minimum is sold out', () => {
  const part = { minQuantity: 12, availableQuantity: 11 }
  expect(isSoldOut(part)).toBe(true)
})

test('a part with exactly its minimum is available', () => {
  const part = { minQuantity: 12, availableQuantity: 12 }
  expect(isSoldOut(part)).toBe(false)
})
`

export const article: Article = {
  id: 'unit-tests',
  question: 'What are unit tests, and why write them?',
  answer:
    'A unit test runs one small piece of a program with known inputs and checks the result. If a change breaks a rule, the test shows within seconds which rule it was.',
  body: (
    <>
      <p>
        This shop sells parts in minimum quantities. If fewer pieces are left than the minimum, the part can’t
        be ordered. Two tests check that limit:
      </p>
      <Code label="Two unit tests for when a part is sold out">{border}</Code>
      <p>
        They check both sides of the limit, because that’s where <code>&lt;</code> and <code>&lt;=</code> are
        easily confused. Each name is a sentence, so a failed test tells you which rule is broken. We also
        broke the code on purpose to see each test fail. A test that can’t fail is worse than no test, because
        people trust it.
      </p>
      <p>
        The benefit is that you can change code safely. After upgrading a library or rewriting a function, you
        know within moments whether you broke a rule that’s tested. When you find a bug, write a test before
        you fix it, so the bug can’t come back unnoticed. Code that’s hard to test often mixes a decision with
        its effects, such as writing to a database. Separating the two makes the code easier to read as well.
      </p>
      <p>
        Unit tests don’t show that the pieces work together. The database decides whether two buyers can get
        the same last part, so we test that with 60 simultaneous buyers on a real database. A mock would only
        repeat our assumptions. Test what a caller can see. A test that checks which internal function was
        called fails with every rewrite and finds few bugs.
      </p>
      <p>
        Tests are code that you have to maintain. Throwaway experiments, simple glue code and visual details
        are rarely worth a unit test. Coverage shows which code never ran, not whether the code is correct. As
        a target, it leads to tests that check nothing.
      </p>
    </>
  ),
}
