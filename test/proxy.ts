import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Forwards connections to a Postgres server. `hold` lets those that are open hang; `cut` ends them and accepts no others. */
export async function startProxy(target: URL) {
  let isHeld = false
  let isCut = false
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    if (isCut) return client.resetAndDestroy()
    const upstream = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (data) => {
        if (!isHeld) to.write(data)
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    endAll()
    server.close()
  })
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url,
    hold() {
      isHeld = true
    },
    release() {
      isHeld = false
    },
    cut() {
      isCut = true
      endAll()
    },
    restore() {
      isCut = false
    },
  }
}
