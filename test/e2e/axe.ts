import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './shop.ts'

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** axe finds nothing; a failure names the page, the rule and the places. In the dark theme only colours differ. */
export async function expectNoBarrier(page: Page, where: string) {
  await expectPassing(page, where, 'dark', (axe) => axe.withRules('color-contrast'))
  await expectPassing(page, where, 'light', (axe) => axe.withTags(standards))
}

async function expectPassing(
  page: Page,
  where: string,
  colorScheme: 'light' | 'dark',
  rules: (axe: AxeBuilder) => AxeBuilder,
) {
  await page.emulateMedia({ colorScheme })
  // Halfway from one colour to another nothing has the contrast that it will have.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map((animation) => animation.finished),
    ),
  )
  // Without frames on our pages its older way is as thorough, and takes half the time.
  const { violations } = await rules(new AxeBuilder({ page })).setLegacyMode().analyze()
  const barriers = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  )
  expect.soft(barriers, `barriers on ${where} in the ${colorScheme} theme`).toEqual([])
}
