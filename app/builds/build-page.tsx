import { type SubmitEvent, useState } from 'react'
import { Link, useNavigate, useRevalidator } from 'react-router'
import { requireSignedIn } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { ApiError, client } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { queryUrl } from '#app/query-url.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { errorText } from '#app/ui/error-text.ts'
import { Field } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { type Build, type BuildItem, maxBuildItems } from '#shop/fit/build.ts'
import { maxFitText } from '#shop/fit/fit-text.ts'
import type { Route } from './+types/build-page'
import { itemReference } from './duplicate.ts'
import { InterfacePicker } from './interface-picker.tsx'

export const meta = () => noindex('Build')

const empty: Build = { _id: '', name: '', chosen: true, items: [] }

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  requireSignedIn(request)
  if (params.buildId !== 'new') return { build: await client.readBuild({ params }) }
  const builds = await client.listBuilds()
  return { build: { ...empty, chosen: builds.length === 0 } }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function BuildPage({ loaderData: { build } }: Route.ComponentProps) {
  return (
    <>
      <Link to="/dashboard/builds" className="mb-3 inline-block link">
        Back to builds
      </Link>
      <h1>{build.name || 'Add build'}</h1>
      <BuildForm key={toKey(build)} build={build} />
    </>
  )
}

/** Another one shows what was stored, once it is. */
function toKey({ _id, items }: Build) {
  return JSON.stringify([_id, items])
}

type Draft = Omit<BuildItem, 'problem'> & { problem?: string | null }

function BuildForm({ build }: { build: Build }) {
  const [items, setItems] = useState<Draft[]>(build.items)
  const [errors, setErrors] = useState<{ name?: string; items?: string }>({})
  const [message, setMessage] = useState<string>()
  const [busy, setBusy] = useState(false)
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const isChanged = toTexts(items) !== toTexts(build.items)

  function add(text: string, label: string) {
    if (items.length >= maxBuildItems) return setErrors({ items: `At most ${maxBuildItems} items` })
    setErrors({})
    if (!items.some((item) => item.text === text)) setItems([...items, { text, label, partId: null }])
  }

  async function addNumber(text: string) {
    const [part] = await client.lookUpParts({ body: { texts: [text] } })
    if (part) add(part.partNumber, part.name)
    else setErrors({ items: `We have no part with the number “${text}”.` })
    return part !== undefined
  }

  async function save(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const form = new FormData(event.currentTarget)
    const name = String(form.get('name')).trim()
    if (!name) return setErrors({ name: 'Name is required' })
    setBusy(true)
    setErrors({})
    setMessage(undefined)
    const body = { name, items: items.map(itemReference), chosen: form.get('chosen') === 'on' }
    try {
      if (build._id) await client.updateBuild({ params: { buildId: build._id }, body })
      else {
        const { insertedId } = await client.saveBuild({ body })
        await navigate(`/dashboard/builds/${insertedId}`, { replace: true })
      }
      showToast(`Saved build: ${name}`)
      await revalidate()
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {}
      setErrors({ name: fields.name?.[0] ?? '', items: fields.items?.[0] ?? '' })
      setMessage(errorText(error))
    }
    setBusy(false)
  }

  return (
    <>
      <form method="post" noValidate className="mt-6 max-w-3xl" onSubmit={save}>
        <Field
          label="Name"
          name="name"
          defaultValue={build.name}
          error={errors.name}
          maxLength={80}
          placeholder="Trail bike"
        />
        <label className="mb-6 flex items-center gap-3">
          <input
            type="checkbox"
            name="chosen"
            defaultChecked={build.chosen}
            className="checkbox checkbox-sm"
          />
          Warn me before I buy a part that doesn’t fit this build
        </label>
        {items.length === 0 ? (
          <p className="mb-6 text-base-content/75">
            Nothing in it yet. Add parts of ours, or describe what you have.
          </p>
        ) : (
          <ul className="mb-6 border-t border-base-300">
            {items.map((item) => (
              <ItemRow
                key={item.text}
                item={item}
                onRemove={() => setItems(items.filter((other) => other !== item))}
              />
            ))}
          </ul>
        )}
        <FormError message={message} />
        <div className="flex flex-wrap items-center gap-3">
          <SubmitButton busy={busy} className="">
            Save build
          </SubmitButton>
          {build._id && items.length > 0 && !isChanged && (
            <Link to={queryUrl('/parts', { fits: items.map(({ text }) => text).sort() })} className="btn">
              Browse parts that fit
            </Link>
          )}
        </div>
      </form>
      <h2 className="mt-12 mb-4">Add to this build</h2>
      <PartNumberForm error={errors.items} onAdd={addNumber} />
      <InterfacePicker onAdd={add} />
    </>
  )
}

function toTexts(items: Pick<Draft, 'text'>[]) {
  return items.map(({ text }) => text).join('\n')
}

function ItemRow({
  item: { text, label, partId, problem },
  onRemove,
}: {
  item: Draft
  onRemove: () => void
}) {
  return (
    <li className="flex items-start justify-between gap-4 border-b border-base-300 py-3">
      <div className="min-w-0">
        <p className="font-medium">
          {partId ? (
            <Link to={`/parts/${partId}`} className="hover:underline">
              {label}
            </Link>
          ) : (
            label
          )}
        </p>
        <p className="text-sm wrap-anywhere text-base-content/75">{text}</p>
        {problem && (
          <p className="mt-1 border-l-4 border-warning pl-3 text-sm">{`Does not fit: ${problem}`}</p>
        )}
      </div>
      <button
        type="button"
        className="btn btn-square btn-ghost btn-sm"
        aria-label={`Remove ${label}`}
        title="Remove"
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </li>
  )
}

interface PartNumberFormProps {
  error: string | undefined
  /** Returns whether it is a part of ours. */
  onAdd: (text: string) => Promise<boolean>
}

function PartNumberForm({ error, onAdd }: PartNumberFormProps) {
  const [text, setText] = useState('')
  const [message, setMessage] = useState<string>()

  async function add(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!text.trim()) return
    try {
      setMessage(undefined)
      if (await onAdd(text.trim())) setText('')
    } catch (error) {
      setMessage(errorText(error))
    }
  }

  return (
    <form method="post" noValidate className="max-w-3xl" onSubmit={add}>
      <Field
        label="A part of ours"
        name="part"
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={message ?? error}
        hint="Its part number or name, such as WW-HR148"
        maxLength={maxFitText}
        autoComplete="off"
        optional
        beside={
          <button type="submit" className="btn">
            Add part
          </button>
        }
      />
    </form>
  )
}
