import { Link } from 'react-router'
import { brand } from '#app/brand.ts'
import { shopContext } from '#app/context.ts'
import { noindex } from '#app/meta.ts'
import type { Route } from './+types/noun-page'
import { CallArticle } from './call-article.tsx'
import { readCallGroups, toIndex } from './call-groups.server.ts'
import { CallMethod } from './call-index.tsx'
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
        <div className="prose-text">
          <p>{group.sentence}</p>
          <p>
            <Link to="/api/docs" className="link">
              {brand.name} API
            </Link>{' '}
            has how to sign in, the errors and the limits of all calls.
          </p>
        </div>
      }
    >
      <ul className="mt-8 border-t border-base-300 text-sm">
        {group.calls.map(({ name, method, sentence }) => (
          <li key={name} className="border-b border-base-300">
            <a
              href={`#${name}`}
              className="grid grid-cols-[4rem_1fr] gap-x-4 py-1.5 hover:bg-base-200 sm:grid-cols-[4rem_13rem_minmax(0,1fr)]"
            >
              <span className="font-mono">
                <CallMethod name={method} />
              </span>
              <span className="font-semibold wrap-anywhere">{name}</span>
              <span className="text-base-content/80 max-sm:col-start-2">{sentence}</span>
            </a>
          </li>
        ))}
      </ul>
      {group.calls.map((call) => (
        <CallArticle key={call.name} call={call} linkTo={linkTo} />
      ))}
    </DocsLayout>
  )
}
