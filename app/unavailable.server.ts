import type { ServerBuild } from 'react-router'
import { isUnavailable, shopUnavailable } from '#shop/errors.ts'
import { log } from '#telemetry/log.ts'

type Routes = Pick<ServerBuild, 'routes'>

export const retryAfterSeconds = '5'

/** React Router responds to any other error of a loader with status 500. */
export function withUnavailablePages<Build extends Routes>(build: Build): Build {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    const loader = route?.module.loader
    return [id, loader ? { ...route, module: { ...route.module, loader: reporting(loader) } } : route]
  })
  return { ...build, routes: Object.fromEntries(routes) }
}

function reporting<Args extends unknown[]>(loader: (...args: Args) => unknown) {
  return async (...args: Args) => {
    try {
      return await loader(...args)
    } catch (error) {
      if (!(error instanceof Error) || !isUnavailable(error)) throw error
      log.error({ err: error }, 'page failed')
      throw Response.json(
        { message: shopUnavailable },
        { status: 503, headers: { 'Retry-After': retryAfterSeconds } },
      )
    }
  }
}
