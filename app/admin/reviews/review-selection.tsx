import { adminClient } from '#app/admin/client.ts'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import type { Selection } from '#app/ui/behaviour/selection.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { formatCount } from '#shop/money.ts'
import { hideForm, type ModeratedReview } from '#shop/reviews/moderation.ts'

/** Those that are shown can be hidden, and the other way round. */
export function ReviewSelectionActions({ selection }: { selection: Selection<ModeratedReview> }) {
  const { busy, run } = useAction()
  const { rows, clear } = selection
  const shown = rows.filter(({ hiddenReason }) => hiddenReason === null)
  const hidden = rows.filter(({ hiddenReason }) => hiddenReason !== null)
  return (
    <>
      {shown.length > 0 && (
        <DialogForm
          button={{ label: `Hide ${countReviews(shown)}`, className: 'btn btn-outline btn-sm' }}
          title={`Hide ${countReviews(shown)}?`}
          schema={hideForm}
          initial={{ reason: '' }}
          fields={[
            {
              name: 'reason',
              label: 'Reason',
              hint: 'Only admins see the reason. The reviews stay here, and you can show them again.',
            },
          ]}
          action={`Hide ${countReviews(shown)}`}
          send={async ({ body }) => {
            await changeEach(shown, (params) => adminClient.hideReview({ params, body }))
            return `${countReviews(shown)} hidden`
          }}
          onDone={clear}
        />
      )}
      {hidden.length > 0 && (
        <ArmedButton
          className="btn btn-outline btn-sm"
          busy={busy}
          onClick={() =>
            run(`${countReviews(hidden)} shown again`, async () => {
              await changeEach(hidden, (params) => adminClient.showReview({ params }))
              clear()
            })
          }
        >
          {`Show ${countReviews(hidden)} again`}
        </ArmedButton>
      )}
    </>
  )
}

function countReviews({ length }: ModeratedReview[]) {
  return `${formatCount(length)} ${length === 1 ? 'review' : 'reviews'}`
}

/** One after the other; sent again, it does what is left. */
async function changeEach(reviews: ModeratedReview[], change: (params: { id: string }) => Promise<unknown>) {
  for (const { _id: id } of reviews) await change({ id })
}
