import { Link } from 'react-router'
import { brand } from '#app/brand.ts'
import { shopContext } from '#app/context.ts'
import { noindex } from '#app/meta.ts'
import type { Route } from './+types/noun-page'
import { CallArticle } from './call-article.tsx'
import { readCallGroups, toIndex } from './call-groups.server.ts'
import { DocsLayout } from './docs-layout.tsx'

export const meta: Route.MetaFunction = ({ loaderData }) => noindex(`${loaderData?.group.noun} · API`)

export async function loader({ context, params }: Route.LoaderArgs) {
  const groups = await readCallGroups(context.get(shopContext))
  const group = groups.find(({ path }) => path === `/api/docs/${params.noun}`)
  if (!group) throw new Response(null, { status: 404 })
  return { index: toIndex(groups), group }
}

export default function ApiNoun({ loaderData: { index, group } }: Route.ComponentProps) {
  const linkTo = (name: string) => {
    const { path } = index.find(({ calls }) => calls.some((call) => call.name === name))!
    return `${path === group.path ? '' : path}#${name}`
  }
  return (
    <DocsLayout
      title={group.noun}
      index={index}
      path={group.path}
      intro={
        <p className="prose-text">
          <Link to="/api/docs" className="link">
            {brand.name} API
          </Link>{' '}
          has how to sign in, the errors and the limits of all calls.
        </p>
      }
    >
      {group.calls.map((call) => (
        <CallArticle key={call.name} call={call} linkTo={linkTo} />
      ))}
    </DocsLayout>
  )
}
