import { client } from '#app/client.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'

/** Throws ApiError 409 when it is confirmed meanwhile, 429 after three emails a day. */
export async function sendLink(email: string) {
  await client.requestEmailConfirmation({ params: { email } })
}

export function ConfirmEmailNotice({ email }: { email: string }) {
  const { busy, run } = useAction()
  return (
    <section className="mb-8 flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-l-4 border-primary bg-base-200 px-5 py-4">
      <div className="min-w-0 max-w-prose">
        <h2 className="text-base">Confirm your email address</h2>
        <p className="mt-1 text-sm wrap-anywhere">
          {`Open the link we emailed to ${email}. Until you confirm your address, we’ll send you at most 3 emails a day, so you may miss updates about your orders, and unpaid orders can expire sooner.`}
        </p>
      </div>
      <button
        type="button"
        className="btn btn-outline btn-sm"
        aria-disabled={busy}
        onClick={() => run(`We sent a new link to ${email}.`, () => sendLink(email))}
      >
        Send new link
      </button>
    </section>
  )
}
