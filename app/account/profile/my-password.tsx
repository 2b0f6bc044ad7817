import { requestReset } from '#app/auth/auth.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'

/** Only for a confirmed address: the reset of another account removes its data. */
export function MyPassword({ email }: { email: string }) {
  const { busy, run } = useAction()
  return (
    <section>
      <h2>Password</h2>
      <p className="mt-1 mb-4 text-base-content/75">
        We’ll email you a link to choose a new one. Choosing it signs you out everywhere.
      </p>
      <button
        type="button"
        className="btn btn-outline btn-sm"
        aria-disabled={busy}
        onClick={() => run(`We sent a link to ${email}.`, () => requestReset(email))}
      >
        Change password
      </button>
    </section>
  )
}
