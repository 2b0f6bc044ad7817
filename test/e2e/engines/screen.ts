/** What a test does in a browser that Playwright does not drive: things are found by the names that people read. */
export interface Screen {
  open(url: string): Promise<void>
  back(): Promise<void>
  reload(): Promise<void>
  /** Runs in the page. `work` sees nothing of the test but its arguments. */
  run<Args extends (string | number | boolean)[], Result>(
    work: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>>
  click(kind: Kind, name: string): Promise<void>
  /** Replaces what the field holds. */
  fill(name: string, text: string): Promise<void>
  close(): Promise<void>
}

export type Kind = 'button' | 'link' | 'field'

/** In the page. The first that can be seen, or null. */
export function findNamed(kind: string, name: string): Element | null {
  const selectors: Record<string, string> = {
    button: 'button',
    link: 'a',
    field: 'input, textarea, select',
  }
  const nameOf = (element: Element) => {
    const label = (element as HTMLInputElement).labels?.[0]?.textContent
    return (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim()
  }
  const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true })
  return (
    [...document.querySelectorAll(selectors[kind]!)].find(
      (element) => isSeen(element) && nameOf(element) === name && !(element as HTMLButtonElement).disabled,
    ) ?? null
  )
}

/** Of a field whose text is about to be replaced. */
export function selectText(field: Element) {
  field.scrollIntoView({ block: 'center' })
  ;(field as HTMLInputElement).focus()
  ;(field as HTMLInputElement).select()
}

/** Polls: a test that passes never waits for the end. */
export async function waitFor<T>(
  read: () => Promise<T | null | undefined | false>,
  what: string,
): Promise<T> {
  const end = Date.now() + 120_000
  while (Date.now() < end) {
    const value = await read().catch(() => null)
    if (value) return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`waited for ${what}`)
}

export interface Size {
  width: number
  height: number
}
