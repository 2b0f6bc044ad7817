import { api } from '#api/contract.ts'
import { type CallGroup, groupCalls } from '#api/docs/call-groups.ts'
import { type EndpointSummary, type OutlineField, summarizeApi } from '#api/docs/schema-outline.ts'
import { openApi } from '#api/openapi.ts'
import { brand } from '#app/brand.ts'
import { noindex } from '#app/meta.ts'
import type { Route } from './+types/api-docs'
import { CallIndex, CallMethod } from './call-index.tsx'
import { Prose } from './prose.tsx'

export const meta: Route.MetaFunction = () => noindex('API')

let groups: CallGroup[] | undefined

/** The same for everybody, and costly to work out. */
export function loader() {
  groups ??= groupCalls(summarizeApi(openApi(api)))
  return { groups }
}

export default function ApiDocs({ loaderData: { groups } }: Route.ComponentProps) {
  return (
    <div className="api-docs mt-10 gap-x-12 xl:grid xl:grid-cols-[17rem_minmax(0,1fr)]">
      <div>
        <h1 className="mb-6">{brand.name} API</h1>
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
              something. Repeating a call with the same key returns the first response and creates nothing
              new.
            </li>
            <li>
              <strong>Errors.</strong> Every error has a <code>message</code> that you can show to users. If
              fields are invalid, <code>fields</code> has the messages for each one. In addition to the errors
              listed with each call: 400 invalid request, 402 card declined, 404 not found, 409 conflict with
              the current state, 413 body too large, 415 wrong content type, 503 service unavailable.
            </li>
          </ul>
        </Prose>
      </div>
      <CallIndex groups={groups} />
      <div className="xl:col-start-2">
        {groups.map(({ noun, calls }) => (
          <section key={noun} aria-label={noun}>
            <h2 className="mt-14">{noun}</h2>
            {calls.map((call) => (
              <Call key={call.name} call={call} />
            ))}
          </section>
        ))}
      </div>
    </div>
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
    example,
  } = call
  return (
    <article
      aria-labelledby={name}
      className="mt-8 grid items-start gap-x-10 gap-y-5 border-t border-base-300 pt-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]"
    >
      <div className="min-w-0">
        <h3 id={name} className="text-lg">
          {name}
        </h3>
        <p className="mt-2 font-mono text-sm wrap-anywhere">
          <CallMethod name={method} /> {path}
        </p>
        <p className="mt-2">{description}</p>
        <div className="mt-5 grid gap-y-6">
          <Fields title="Parameters" fields={parameters} />
          <Fields title={`Request body (${type})`} fields={requestFields} />
          <Fields title={`Returns ${status}${list ? ', a list of' : ''}`} fields={responseFields} />
          <Facts
            title="Errors"
            facts={errors.map(({ status, description }) => [
              status === 'default' ? 'other' : status,
              description,
            ])}
          />
        </div>
      </div>
      <div className="grid min-w-0 gap-4 xl:sticky xl:top-6">
        <Example title="Request" text={example.request} />
        <Example title="Answer" text={example.answer} />
      </div>
    </article>
  )
}

const code = 'max-h-72 overflow-auto px-4 pt-2 pb-3 text-xs'

function Example({ title, text }: { title: string; text: string }) {
  return (
    <section className="min-w-0 rounded-box bg-neutral text-neutral-content">
      <h4 className="px-4 pt-3 text-sm font-semibold">{title}</h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that the arrow keys scroll it */}
      <pre className={`${code} xl:max-h-[38dvh] print:max-h-none`} tabIndex={0}>
        {text}
      </pre>
    </section>
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
      <h4 className="text-sm font-semibold">{title}</h4>
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
