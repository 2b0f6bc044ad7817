import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createDownload } from '#providers/images/download.ts'
import { isPublicAddress } from '#providers/images/public-address.ts'

export const photoURL = 'https://photos.example/ada.jpg'

type Respond = (request: IncomingMessage, response: ServerResponse) => unknown

/** An https server on 127.0.0.1, which stands for a public address; `paths` by hostname and path. */
export async function openPhotoHost(paths: Record<string, Respond | Blob>) {
  const requests: string[] = []
  const state = { connections: 0 }
  const server = createServer({ key, cert }, async (request, response) => {
    const path = `${request.headers.host}${request.url}`
    requests.push(path)
    const answer = paths[path]
    if (answer instanceof Blob) response.end(await answer.bytes())
    else if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  server.on('connection', () => state.connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo
  const settings = {
    resolve: async (_host: string) => ['127.0.0.1'],
    isAllowed: (address: string) => address === '127.0.0.1' || isPublicAddress(address),
    port,
    ca: cert,
    // Never reached: a busy machine can be slow.
    timeoutMs: 100_000,
    idleMs: 100_000,
  }
  return {
    requests,
    state,
    settings,
    download: createDownload(settings),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Self-signed for photos.example and *.photos.example, until 2120. It protects nothing. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg574HObLcYUC7dVHg
MsI0fm9dwXVRiYqt/diefPLUn5uhRANCAASwdRNVZ60La//oRafJL7aQOgX3ztRj
nsR/flAO0uhBt3C/zvIK+OFyNb6DRVsaddNIWZCJHnQ0P0w3OnHet8/J
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBcjCCARegAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5waG90b3Mu
ZXhhbXBsZTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGTEXMBUG
A1UEAwwOcGhvdG9zLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASw
dRNVZ60La//oRafJL7aQOgX3ztRjnsR/flAO0uhBt3C/zvIK+OFyNb6DRVsaddNI
WZCJHnQ0P0w3OnHet8/Jo04wTDArBgNVHREEJDAigg5waG90b3MuZXhhbXBsZYIQ
Ki5waG90b3MuZXhhbXBsZTAdBgNVHQ4EFgQUaCTBewe/Lk5t3zU8z6RVf0x3IVww
CgYIKoZIzj0EAwIDSQAwRgIhAMqe24aCogmBCO2A6AN5pYGfC2eelBqtNlvUorsG
LxWzAiEA/n1l2n7gT9OZce9f6kCKAOzAj73OnHvLWKWOCp2ugN4=
-----END CERTIFICATE-----`
