import { adminClient } from '#app/admin/client.ts'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { answerForm, hideForm, type ModeratedReview } from '#shop/reviews/moderation.ts'

interface Props {
  review: ModeratedReview
}

const quiet = 'btn btn-ghost btn-sm px-2 whitespace-nowrap'

export function HideReview({ review: { _id: id, name } }: Props) {
  return (
    <DialogForm
      button={{ label: 'Hide', className: quiet }}
      title={`Hide review by ${name}?`}
      schema={hideForm}
      initial={{ reason: '' }}
      fields={[
        {
          name: 'reason',
          label: 'Reason',
          hint: 'Only admins see the reason. The review stays here, and you can show it again.',
        },
      ]}
      action="Hide review"
      send={async ({ body }) => {
        await adminClient.hideReview({ params: { id }, body })
        return `Review by ${name} hidden`
      }}
    />
  )
}

export function ShowReview({ review: { _id: id, name } }: Props) {
  const { busy, run } = useAction()
  return (
    <ArmedButton
      className={quiet}
      busy={busy}
      onClick={() => run(`Review by ${name} shown again`, () => adminClient.showReview({ params: { id } }))}
    >
      Show again
    </ArmedButton>
  )
}

export function AnswerReview({ review: { _id: id, name, part, reviews, rating, answer } }: Props) {
  const label = answer === null ? 'Answer' : 'Edit answer'
  return (
    <DialogForm
      button={{ label, className: quiet }}
      title={`Answer ${name}`}
      intro={
        <blockquote className="mb-4 max-h-48 overflow-y-auto border-l-2 border-base-300 pl-3">
          <p className="text-sm text-base-content/75">{`${part?.name ?? 'The shop'}, ${rating} of 5`}</p>
          <p className="whitespace-pre-line wrap-anywhere">{reviews}</p>
        </blockquote>
      }
      schema={answerForm}
      initial={{ answer: answer ?? '' }}
      fields={[
        { name: 'answer', label: 'Public answer', rows: 5, hint: 'Everybody sees it below the review.' },
      ]}
      action="Save answer"
      send={async ({ body }) => {
        await adminClient.answerReview({ params: { id }, body: { ...body, before: answer } })
        return `Review by ${name} answered`
      }}
    />
  )
}
