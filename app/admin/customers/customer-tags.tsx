import { type SubmitEvent, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { Icon } from '#app/ui/icon.tsx'
import { type Customer, tagForm } from '#shop/customers/customer.ts'

interface Props {
  customer: Customer
  /** All tags in use. */
  suggestions: string[]
}

export function CustomerTags({ customer: { _id, tags }, suggestions }: Props) {
  const { busy, run } = useAction()
  const [error, setError] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const params = { id: _id }

  function add(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const parsed = tagForm.safeParse({ tag: input.current?.value })
    setError(parsed.error?.issues[0]?.message)
    if (!parsed.success) return input.current?.focus()
    const { tag } = parsed.data
    run(`Tagged “${tag}”`, async () => {
      await adminClient.tagCustomer({ params, body: { tag } })
      if (input.current) input.current.value = ''
    })
  }

  const remove = (tag: string) =>
    run(`Removed the tag “${tag}”`, () => adminClient.untagCustomer({ params, body: { tag } }))

  return (
    <section aria-labelledby="tags">
      <h2 id="tags" className="mb-2 text-base">
        Tags
      </h2>
      <ul className="mb-2 flex flex-wrap gap-2 empty:hidden">
        {tags.map((tag) => (
          <li
            key={tag}
            tabIndex={-1}
            className="flex items-center rounded-full border border-base-content/40 pl-3 text-sm"
          >
            <Link to={`/dashboard?${new URLSearchParams({ tag })}`} className="hover:underline">
              {tag}
            </Link>
            <button
              type="button"
              className="btn btn-circle btn-ghost btn-sm"
              aria-label={`Remove tag ${tag}`}
              aria-disabled={busy}
              onClick={() => remove(tag)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <form method="post" noValidate className="flex items-start gap-2" onSubmit={add}>
        <div className="min-w-0 grow">
          <input
            ref={input}
            name="tag"
            aria-label="Add a tag"
            placeholder="Add a tag"
            list={`${id}-tags`}
            autoComplete="off"
            maxLength={40}
            className="input input-sm w-full"
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
          />
          <datalist id={`${id}-tags`}>
            {suggestions
              .filter((tag) => !tags.includes(tag))
              .map((tag) => (
                <option key={tag} value={tag} />
              ))}
          </datalist>
          {error && (
            <p id={`${id}-error`} className="mt-1 text-sm text-error">
              {error}
            </p>
          )}
        </div>
        <button type="submit" className="btn btn-sm" aria-disabled={busy}>
          Add tag
        </button>
      </form>
    </section>
  )
}
