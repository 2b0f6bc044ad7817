import { Form, Link } from 'react-router'
import { shopContext } from '#app/context.ts'
import { indexable, noindex } from '#app/meta.ts'
import { queryUrl } from '#app/query-url.ts'
import { Field, SelectField } from '#app/ui/field.tsx'
import { type FitForm, readFitForm } from '#shop/fit/fit-form.server.ts'
import { maxFitText } from '#shop/fit/fit-text.ts'
import type { Route } from './+types/fit-page'
import { FitAnswerBox } from './fit-answer.tsx'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  loaderData?.part || loaderData?.with
    ? noindex('Does it fit?')
    : indexable(matches, {
        title: 'Does it fit?',
        description:
          'Check whether two bicycle parts go together, with the reason and what it was decided from.',
        path: '/fit',
      })

export async function loader({ context, request }: Route.LoaderArgs) {
  return readFitForm(context.get(shopContext).reader, new URL(request.url).searchParams)
}

export default function FitPage({ loaderData }: Route.ComponentProps) {
  const { part, with: other, errors, answer } = loaderData
  return (
    <>
      <h1 className="mt-10">Does it fit?</h1>
      <p className="mt-3 max-w-prose">
        Two parts go together if their interfaces do. We answer from what their makers state, and say so when
        a fact is missing.
      </p>
      {/* Sent by the address, so that an answer can be shared. */}
      <Form action="/fit" className="mt-6 grid max-w-3xl items-start gap-x-5 sm:grid-cols-[1fr_1fr_auto]">
        <Field
          label="Part"
          name="part"
          key={`part ${part}`}
          defaultValue={part}
          error={errors.part}
          hint="A part number, such as WW-CS12"
          maxLength={maxFitText}
          autoComplete="off"
        />
        <Field
          label="With"
          name="with"
          key={`with ${other}`}
          defaultValue={other}
          error={errors.with}
          hint="Another number, or describe it below"
          maxLength={maxFitText}
          autoComplete="off"
        />
        <button type="submit" className="btn btn-primary sm:mt-6">
          Check fit
        </button>
      </Form>
      {answer && (
        <div className="mt-4 max-w-3xl">
          <FitAnswerBox title={answer.title} fit={answer.fit} />
        </div>
      )}
      <Description form={loaderData} />
      <p className="mt-12 max-w-prose text-sm text-base-content/75">
        Building a wheel? The{' '}
        <Link to="/fit/spokes" className="link">
          spoke calculator
        </Link>{' '}
        gives both lengths. The vocabulary and the rules are open data:{' '}
        <a href="/fit/vocabulary.json" className="link">
          vocabulary.json
        </a>
        .
      </p>
    </>
  )
}

/** For what has no number of ours. */
function Description({ form: { part, kinds, described } }: { form: FitForm }) {
  return (
    <section className="mt-12" aria-labelledby="describe">
      <h2 id="describe">{described ? described.label : 'Describe what you have'}</h2>
      {described && (
        <>
          <p className="mt-2 mb-5 max-w-prose text-base-content/75">{described.about}</p>
          <Form action="/fit" className="mb-8 max-w-3xl">
            <input type="hidden" name="part" value={part} />
            <input type="hidden" name="kind" value={described.id} />
            <div className="grid gap-x-5 sm:grid-cols-2">
              {described.fields.map(({ id, label, choices, hint, value }) =>
                choices.length > 0 ? (
                  <SelectField
                    key={`${described.id} ${id}`}
                    label={label}
                    name={`fact.${id}`}
                    defaultValue={value}
                    optional
                  >
                    <option value="">Not known</option>
                    {choices.map((choice) => (
                      <option key={choice}>{choice}</option>
                    ))}
                  </SelectField>
                ) : (
                  <Field
                    key={`${described.id} ${id}`}
                    label={label}
                    name={`fact.${id}`}
                    defaultValue={value}
                    hint={hint}
                    maxLength={maxFitText}
                    autoComplete="off"
                    optional
                  />
                ),
              )}
            </div>
            <button type="submit" className="btn btn-primary">
              Check fit
            </button>
          </Form>
          <h3 className="text-base">Something else</h3>
        </>
      )}
      <ul className="mt-3 grid gap-x-8 gap-y-1 sm:grid-cols-2 lg:grid-cols-3">
        {kinds.map(({ id, label }) => (
          <li key={id}>
            <Link to={`${queryUrl('/fit', { part, kind: id })}#describe`} className="link inline-block py-1">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
