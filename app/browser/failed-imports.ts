import { unreachableMessage } from '#api/unreachable.ts'
import { sessionItems } from './storage.ts'
import { storeTyped } from './typed-fields.ts'

const updatedMessage = 'The shop was updated. Reload the page and try again.'
/** Storage key: the build that was left because its scripts were gone. */
const leftBuild = 'left-build'
/** Storage key: where a link was leading when the page was left. */
const wishedAddress = 'wished-address'

/** React Router's own names. The manifest has another address in every build that changes a page. */
interface RouterGlobals {
  __reactRouterManifest?: { url: string }
  __reactRouterDataRouter?: { state: { navigation: { location?: { pathname: string; search: string } } } }
}
const readGlobals = () => globalThis as RouterGlobals

/** For an import without which the user cannot go on. Throws an Error whose message can be shown. */
export async function loadScript<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch {
    throw await explainFailedImport()
  }
}

let reload: Promise<never> | undefined

/**
 * A tab that is older than the shop asks for scripts that are gone. It is loaded again, once, with what was typed; this does not resolve
 * then.
 */
async function explainFailedImport(): Promise<Error> {
  const build = readGlobals().__reactRouterManifest?.url
  if (!build || !(await isGone(build))) return new Error(unreachableMessage)
  if (reload) return reload
  if (sessionItems.isBlocked() || sessionItems.read(leftBuild) === build) return new Error(updatedMessage)
  sessionItems.keep(leftBuild, build)
  storeTyped()
  reload = new Promise<never>(() => location.reload())
  return reload
}

async function isGone(url: string): Promise<boolean> {
  const response = await fetch(url, { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  return response?.status === 404
}

/** React Router reloads the page that is shown when the scripts of the next one are gone. */
export function rememberWishedAddress() {
  addEventListener('pagehide', () => {
    const next = readGlobals().__reactRouterDataRouter?.state.navigation.location
    if (next) sessionItems.keep(wishedAddress, next.pathname + next.search)
  })
}

/** True when the browser leaves for it. */
export function continueToWishedAddress(): boolean {
  const [wished, entry] = [sessionItems.read(wishedAddress), performance.getEntriesByType('navigation')[0]]
  sessionItems.remove(wishedAddress)
  const isReload = (entry as PerformanceNavigationTiming | undefined)?.type === 'reload'
  if (!wished || !isReload || wished === location.pathname + location.search) return false
  location.assign(wished)
  return true
}
