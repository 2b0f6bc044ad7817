import { requestReset } from '#app/auth/auth.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'

/** Only for a confirmed address: the reset of another account removes its data. */
export function MyPassword({ email }: { email: string }) {
  const { busy, run } = useAction()
  return (
    <section className="grid grid-cols-[1fr_auto] items-center gap-x-4">
      <h2>Password</h2>
      <p className="col-span-2 mt-1 text-base-content/75">
        We’ll email you a link to choose a new one. Choosing it signs you out everywhere.
      </p>
      <button
        type="button"
        className="btn btn-outline btn-sm col-start-2 row-start-1"
        aria-disabled={busy}
        onClick={() => run(`We sent a link to ${email}.`, () => requestReset(email))}
      >
        Change password
      </button>
    </section>
  )
}
