import type { Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'
import { expect } from './shop.ts'

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** axe finds nothing; a failure names the page, the rule and the places. In the dark theme only colours differ. */
export async function expectAccessible(page: Page, where: string) {
  // Once for each document: the builder of axe's own package sends its half megabyte anew for each question.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  await expectPassing(page, where, 'dark', { type: 'rule', values: ['color-contrast'] })
  await expectPassing(page, where, 'light', { type: 'tag', values: standards })
}

async function expectPassing(
  page: Page,
  where: string,
  colorScheme: 'light' | 'dark',
  runOnly: RunOptions['runOnly'],
) {
  await page.emulateMedia({ colorScheme })
  const barriers = await page.evaluate(async (runOnly) => {
    // Halfway from one colour to another nothing has the contrast that it will have.
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.allSettled(transitions.map((animation) => animation.finished))
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run({ runOnly, resultTypes: ['violations'], iframes: false })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
    )
  }, runOnly)
  expect.soft(barriers, `barriers on ${where} in the ${colorScheme} theme`).toEqual([])
}
