import { api } from '#api/contract.ts'
import { openApi } from '#api/openapi.ts'
import { type EndpointSummary, type OutlineField, summarizeApi } from '#api/schema-outline.ts'
import { brand } from '#app/brand.ts'
import { noindex } from '#app/meta.ts'
import type { Route } from './+types/api-docs'
import { Prose } from './prose.tsx'

export const meta: Route.MetaFunction = () => noindex('API')

let summary: EndpointSummary[] | undefined

/** The same for everybody, and costly to work out. */
export function loader() {
  summary ??= summarizeApi(openApi(api))
  return { calls: summary }
}

export default function ApiDocs({ loaderData: { calls } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mt-10 mb-6">{brand.name} API</h1>
      <Prose>
        <p>
          The shop’s own pages use this API, and so can you. The OpenAPI document is at{' '}
          <a href="/api/openapi.json">/api/openapi.json</a>. A purchase is one item of an order: a part and
          its quantity.
        </p>
        <ul>
          <li>
            <strong>Authentication.</strong> <a href="#signIn">signIn</a> returns a token that expires after
            an hour. Send it in the <code>Authorization</code> header, as <code>Bearer {'{token}'}</code>.
          </li>
          <li>
            <strong>Pagination.</strong> Lists are arrays. Request a page with <code>limit</code> and{' '}
            <code>page</code>; the header <code>X-Total-Count</code> has the total, at most 10,001.
          </li>
          <li>
            <strong>Idempotency.</strong> Send an <code>Idempotency-Key</code> header with calls that create
            something. Repeating a call with the same key returns the first response and creates nothing new.
          </li>
          <li>
            <strong>Errors.</strong> Every error has a <code>message</code> that you can show to users. If
            fields are invalid, <code>fields</code> has the messages for each one. In addition to the errors
            listed with each call: 400 invalid request, 402 card declined, 404 not found, 409 conflict with
            the current state, 413 body too large, 415 wrong content type, 503 service unavailable.
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
          <Fields title={`Request body (${type})`} fields={requestFields} />
          <Facts
            title="Errors"
            facts={errors.map(({ status, description }) => [
              status === 'default' ? 'other' : status,
              description,
            ])}
          />
        </div>
        <Fields title={`Returns ${status}${list ? ', a list of' : ''}`} fields={responseFields} />
      </div>
    </article>
  )
}

function Fields({ title, fields }: { title: string; fields: OutlineField[] }) {
  const facts = fields.map(({ name, kind, where, required }): [string, string] => [
    name,
    [kind, where && `in the ${where}`, !required && 'optional'].filter(Boolean).join('; '),
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
