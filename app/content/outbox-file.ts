import { shopContext } from '#app/context.ts'
import type { Route } from './+types/outbox-file'

/** An attachment of an email in the demo's outbox, which anyone can read. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const file = await context.get(shopContext).outbox?.readFile(params.id)
  if (!file) throw new Response(null, { status: 404 })
  const headers = { 'Content-Type': file.type, 'Content-Disposition': `inline; filename="${file.name}"` }
  return new Response(file, { headers })
}
