import { api } from '#api/contract.ts'
import { openApi } from '#api/openapi.ts'
import { type EndpointSummary, type OutlineField, summarizeApi } from '#api/schema-outline.ts'
import { brand } from '#app/brand.ts'
import { noindex } from '#app/meta.ts'
import type { Route } from './+types/api-docs'
import { Prose } from './prose.tsx'

export const meta: Route.MetaFunction = () => noindex('API')

export function loader() {
  return { calls: summarizeApi(openApi(api)) }
}

export default function ApiDocs({ loaderData: { calls } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mt-10 mb-6">The API of {brand.name}</h1>
      <Prose>
        <p>
          Every page of this shop makes these calls, and so may you. Programs read the same at{' '}
          <a href="/api/openapi.json">/api/openapi.json</a>.
        </p>
        <ul>
          <li>
            Who has to be signed in shows an access token: <code>Authorization: Bearer</code> and the token
            that <a href="#signIn">signIn</a> answers. It is valid for an hour.
          </li>
          <li>
            A list is an array. <code>limit</code> and <code>page</code> cut it, and the header{' '}
            <code>X-Total-Count</code> says how long all of it is.
          </li>
          <li>
            A creating call that is made again with the same <code>Idempotency-Key</code> answers the same and
            does nothing again.
          </li>
          <li>
            A failure answers <code>message</code>, in words to show, and often <code>fields</code>, with what
            is wrong with each. Beside what each call names below, 400 is for what is not right, 402 for a
            card that is declined, 404 for what is not there, 409 for what cannot be done any more, 413 and
            415 for a body that is too large or of another type, and 503 for when the shop is away.
          </li>
        </ul>
      </Prose>
      <nav aria-label="Calls" className="mt-8">
        <ul className="columns-[9rem] gap-x-8">
          {calls.map(({ name }) => (
            <li key={name}>
              <a href={`#${name}`} className="link inline-block py-1">
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {calls.map((call) => (
        <Call key={call.name} call={call} />
      ))}
    </>
  )
}

function Call({ call }: { call: EndpointSummary }) {
  const {
    name,
    method,
    path,
    description,
    parameters,
    requestFields,
    type,
    responseFields,
    list,
    status,
    errors,
  } = call
  return (
    <article aria-labelledby={name} className="mt-10 border-t-2 border-base-content pt-6">
      <h2 id={name}>{name}</h2>
      <p className="mt-2 font-mono text-sm wrap-anywhere">
        {method} {path}
      </p>
      <p className="mt-2">{description}</p>
      <div className="mt-4 grid items-start gap-x-10 gap-y-6 lg:grid-cols-2">
        <div className="grid gap-y-6">
          <Fields title="Parameters" fields={parameters} />
          <Fields title={`Sends ${type}`} fields={requestFields} />
          <Facts
            title="Refuses"
            facts={errors.map(({ status, description }) => [
              status === 'default' ? 'other' : status,
              description,
            ])}
          />
        </div>
        <Fields title={`Answers ${status}${list ? ', a list of' : ''}`} fields={responseFields} />
      </div>
    </article>
  )
}

function Fields({ title, fields }: { title: string; fields: OutlineField[] }) {
  const facts = fields.map(({ name, kind, where, required }): [string, string] => [
    name,
    [kind, where && `in the ${where}`, !required && 'may be left out'].filter(Boolean).join('; '),
  ])
  return facts.length > 0 && <Facts title={title} facts={facts} />
}

function Facts({ title, facts }: { title: string; facts: [string, string][] }) {
  return (
    <section>
      <h3 className="text-sm">{title}</h3>
      <dl className="mt-1 text-sm">
        {facts.map(([term, text]) => (
          <div key={term} className="grid grid-cols-[2fr_3fr] gap-x-4 border-b border-base-300 py-1">
            <dt className="font-mono wrap-anywhere">{term}</dt>
            <dd className="text-base-content/80">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
