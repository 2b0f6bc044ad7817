import { getRequestListener } from '@hono/node-server'
import type { Plugin } from 'vite'

type Server = typeof import('./app.ts')

/** `npm run dev`: serves the app behind Vite and reopens it when server code changes. */
export function devServer(): Plugin {
  let loaded: Server | undefined
  let app: ReturnType<Server['createApp']> | undefined

  return {
    name: 'winged-wheels-dev-server',
    apply: 'serve',
    configureServer(vite) {
      const listener = getRequestListener(async (request, env) => {
        const server = (await vite.ssrLoadModule('/server/app.ts')) as Server
        if (server !== loaded) {
          loaded = server
          const previous = app
          app = (async () => {
            // What did not start needs no end.
            await (await previous?.catch(() => null))?.close()
            const config = server.readConfig()
            server.configureLog(config.log)
            return server.createApp(config)
          })()
        }
        return (await app!).fetch(request, env)
      })
      return () => {
        vite.middlewares.use((request, response) => {
          request.url = request.originalUrl
          listener(request, response)
        })
      }
    },
  }
}
