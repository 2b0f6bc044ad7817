import type { EndpointSummary } from '#api/docs/schema-outline.ts'
import { CallMethod } from './call-index.tsx'
import { CopiedCode } from './copied-code.tsx'
import { FieldTable } from './field-table.tsx'

export function CallArticle({ call, linkTo }: { call: EndpointSummary; linkTo: (name: string) => string }) {
  const { name, method, path, sentence, access, example } = call
  return (
    <article
      aria-labelledby={name}
      className="mt-10 grid items-start gap-x-8 gap-y-5 border-t border-base-300 pt-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,25rem)]"
    >
      <div className="min-w-0">
        <h2 id={name} className="scroll-mt-6 text-lg">
          <a href={`#${name}`} className="hover:underline">
            {name}
          </a>
        </h2>
        <p className="mt-1">{sentence}</p>
        <p className="mt-2 font-mono text-sm wrap-anywhere">
          <CallMethod name={method} /> {path}
        </p>
        <p className="mt-1 text-sm text-base-content/75">{access}</p>
        <div className="mt-5 grid gap-y-5">
          <FieldTable title="Parameters" fields={call.parameters} isRequest />
          <FieldTable title={`Request body (${call.type})`} fields={call.requestFields} isRequest />
          <FieldTable
            title={`Returns ${call.status}${call.list ? ', a list of' : ''}`}
            fields={call.responseFields}
          />
          <Errors errors={call.errors} />
        </div>
      </div>
      <div className="grid min-w-0 gap-4 xl:sticky xl:top-6">
        <div className="min-w-0">
          <CopiedCode title="Request" text={example.request.text} copyLabel={`Copy the request of ${name}`} />
          <Variables variables={example.request.variables} linkTo={linkTo} />
        </div>
        <CopiedCode title="Answer" text={example.answer} />
      </div>
    </article>
  )
}

interface VariablesProps {
  variables: EndpointSummary['example']['request']['variables']
  linkTo: (name: string) => string
}

/** What a request needs first. */
function Variables({ variables, linkTo }: VariablesProps) {
  return (
    variables.length > 0 && (
      <p className="mt-2 text-xs text-base-content/75">
        {variables.map(({ name, meaning, call }, i) => (
          <span key={name}>
            {i > 0 && '; '}
            <code className="font-mono">${name}</code> is {meaning}
            {call && ' '}
            {call && (
              <a href={linkTo(call)} className="link">
                {call}
              </a>
            )}
          </span>
        ))}
        .
      </p>
    )
  )
}

function Errors({ errors }: Pick<EndpointSummary, 'errors'>) {
  return (
    <section>
      <h3 className="text-sm font-semibold">Errors</h3>
      <dl className="mt-1 text-sm">
        {errors.map(({ status, description }) => (
          <div key={status} className="flex gap-x-4 border-b border-base-300 py-1.5">
            <dt className="w-14 shrink-0 font-mono">{status === 'default' ? 'other' : status}</dt>
            <dd className="min-w-0">{description}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
