import { getRequestListener } from '@hono/node-server'
import type { Plugin } from 'vite'

type Server = typeof import('./app.ts')

/** `npm run dev`: the whole product behind Vite, opened anew whenever code of the server changed. */
export function devServer(): Plugin {
  let loaded: Server | undefined
  let app: ReturnType<Server['open']> | undefined

  return {
    name: 'winged-wheels-dev-server',
    apply: 'serve',
    configureServer(vite) {
      const answer = getRequestListener(async (request, env) => {
        const server = (await vite.ssrLoadModule('/server/app.ts')) as Server
        if (server !== loaded) {
          loaded = server
          const before = app
          app = (async () => {
            await (await before)?.close()
            return server.open(server.readConfig())
          })()
        }
        return (await app!).fetch(request, env)
      })
      return () => {
        vite.middlewares.use((request, response) => {
          // Vite has rewritten the address for its own pages.
          request.url = request.originalUrl
          answer(request, response)
        })
      }
    },
  }
}
