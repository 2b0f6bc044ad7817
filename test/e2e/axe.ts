import type { Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'
import { expect } from './shop.ts'

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Fails softly on any axe violation. The dark theme differs only in colours, so it runs only the contrast rule. `scope` selects what
 * has changed on a page that was checked before.
 */
export async function expectAccessible(page: Page, pageName: string, scope = 'html') {
  // Inject axe once per document: AxeBuilder would send its 0.5 MB again for every analysis.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  await expectNoViolations(page, pageName, scope, 'dark', { type: 'rule', values: ['color-contrast'] })
  await expectNoViolations(page, pageName, scope, 'light', { type: 'tag', values: standards })
}

async function expectNoViolations(
  page: Page,
  pageName: string,
  scope: string,
  colorScheme: 'light' | 'dark',
  runOnly: RunOptions['runOnly'],
) {
  await page.emulateMedia({ colorScheme })
  const failures = await page.evaluate(
    async ({ scope, runOnly }) => {
      // Contrast is wrong while a colour transition is running.
      const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
      await Promise.allSettled(transitions.map((animation) => animation.finished))
      const { axe } = window as unknown as { axe: typeof import('axe-core') }
      const { violations } = await axe.run(scope, { runOnly, resultTypes: ['violations'], iframes: false })
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
      )
    },
    { scope, runOnly },
  )
  expect.soft(failures, `barriers on ${pageName} in the ${colorScheme} theme`).toEqual([])
}
