import { Form, Link } from 'react-router'
import { shopContext } from '#app/context.ts'
import { breadcrumbs, indexable } from '#app/meta.ts'
import { Field } from '#app/ui/field.tsx'
import { readSpokeForm } from '#shop/fit/spokes/spoke-form.server.ts'
import type { Route } from './+types/spokes-page'

export const meta: Route.MetaFunction = ({ matches }) =>
  indexable(matches, {
    title: 'Spoke calculator',
    description: 'The spoke lengths of a wheel from the rim’s ERD and the hub, within 1 mm.',
    path: '/fit/spokes',
    about: [
      breadcrumbs(matches, [
        { name: 'Does it fit?', path: '/fit' },
        { name: 'Spoke calculator', path: '/fit/spokes' },
      ]),
    ],
  })

export async function loader({ context, request }: Route.LoaderArgs) {
  return readSpokeForm(context.get(shopContext).reader, new URL(request.url).searchParams)
}

export default function SpokesPage({ loaderData }: Route.ComponentProps) {
  const { hub, hubError, fields, lengths } = loaderData
  return (
    <>
      <h1 className="mt-10">Spoke calculator</h1>
      <p className="mt-3 max-w-prose">
        For J-bend spokes, within 1 mm. Name one of our hubs, or measure yours. Straight-pull spokes follow
        from the hub’s maker alone.{' '}
        <Link to="/fit" className="link">
          Check other parts
        </Link>
      </p>
      {lengths && (
        <dl className="mt-6 flex max-w-3xl flex-wrap gap-x-12 gap-y-3 rounded-box border-2 border-success p-5">
          {lengths.map(({ side, length }) => (
            <div key={side}>
              <dt className="text-sm text-base-content/75">{side}</dt>
              <dd className="text-2xl font-semibold">{length}</dd>
            </div>
          ))}
          <div className="self-end text-sm text-base-content/75">Each ± 1 mm. Check the nipples.</div>
        </dl>
      )}
      <Form action="/fit/spokes" className="mt-6 max-w-3xl">
        <Field
          label="Hub of ours"
          name="hub"
          key={hub}
          defaultValue={hub}
          error={hubError}
          hint="Its part number, such as WW-HR148, fills in what you leave empty"
          maxLength={40}
          autoComplete="off"
          optional
        />
        <div className="grid items-start gap-x-5 sm:grid-cols-2 lg:grid-cols-3">
          {fields.map(({ id, label, value, error, hint }) => (
            <Field
              key={`${id} ${value}`}
              label={label}
              name={id}
              defaultValue={value}
              error={error}
              hint={hint}
              inputMode="decimal"
              maxLength={12}
              autoComplete="off"
            />
          ))}
        </div>
        <button type="submit" className="btn btn-primary">
          Calculate lengths
        </button>
      </Form>
    </>
  )
}
