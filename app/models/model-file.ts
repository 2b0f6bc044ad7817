import { shopContext } from '#app/context.ts'
import { readModelFile } from '#shop/models/models.server.ts'
import type { Route } from './+types/model-file'

/** A file's address is its content's, so it never changes. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const [, hash] = /^([0-9a-f]{64})\.glb$/.exec(params.file) ?? []
  const file = hash ? await readModelFile(context.get(shopContext).shop, hash) : null
  if (!file) return new Response('This model doesn’t exist any more.', { status: 404 })
  return new Response(new Uint8Array(file), {
    headers: {
      'Content-Type': 'model/gltf-binary',
      'Cache-Control': `public, max-age=${365 * 86_400}, immutable`,
      'Content-Disposition': 'attachment',
      'Content-Length': `${file.length}`,
    },
  })
}
