import { findFirefox, openFirefox } from './firefox.ts'
import type { Screen, Size } from './screen.ts'
import { hasWebkit, openWebkit } from './webkit.ts'

interface Engine {
  name: string
  isThere: boolean
  open(size?: Partial<Size>): Promise<Screen>
}

const all: Engine[] = [
  { name: 'Firefox', isThere: findFirefox() !== undefined, open: openFirefox },
  { name: 'WebKit', isThere: hasWebkit(), open: openWebkit },
]

export const engines = all.filter(({ isThere }) => isThere)
export const missingEngines = all.filter(({ isThere }) => !isThere).map(({ name }) => name)
