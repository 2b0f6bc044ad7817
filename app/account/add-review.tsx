import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { isAdmin, redirectTo, requireSignedIn } from '#app/auth/guards.ts'
import { type Session, useSession } from '#app/auth/session.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { ReviewCard } from '#app/content/reviews.tsx'
import { clearDraft, idempotencyKeyFor, readDraft, useDraft } from '#app/drafts.ts'
import { noindex } from '#app/meta.ts'
import { Field, TextField } from '#app/ui/field.tsx'
import { keepFocus, useFormError, useInitialValidation } from '#app/ui/form.ts'
import { FormError } from '#app/ui/form-error.tsx'
import { MissingFields } from '#app/ui/missing-fields.tsx'
import { RatingField } from '#app/ui/rating-field.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { showToast } from '#app/ui/toast.ts'
import { type ReviewForm, reviewForm } from '#shop/reviews/review.ts'
import type { Route } from './+types/add-review'

export const meta = () => noindex('Add A Review')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  if (await isAdmin(requireSignedIn(request))) throw redirectTo('/dashboard', request)
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function AddReview() {
  const session = useSession()
  if (!session) return null
  return (
    <>
      <h1 className="mb-5">Add A Review</h1>
      <NewReview key={session.email} session={session} />
    </>
  )
}

type Input = z.input<typeof reviewForm>

const draft = 'review'
const emptyReview = { address: '', reviews: '', rating: '' }

function NewReview({ session }: { session: Session }) {
  const form = useForm<Input, unknown, ReviewForm>({
    resolver: zodResolver(reviewForm),
    mode: 'onChange',
    defaultValues: { ...emptyReview, ...readDraft<Input>(draft) },
  })
  useDraft(draft, form)
  useInitialValidation(form)
  const { register, handleSubmit, reset, setError, watch, formState } = form
  const { errors, isValid, isSubmitting } = formState
  const formError = useFormError(setError, ['address', 'reviews', 'rating'])
  const values = watch()
  const rating = Number(values.rating)

  const submit = handleSubmit(async (body, event) => {
    formError.clear()
    try {
      await client.addReview({ body, key: idempotencyKeyFor(draft, body) })
      keepFocus(event)
      reset(emptyReview)
      clearDraft(draft)
      showToast('Added Review Successfully!')
    } catch (error) {
      formError.show(error)
    }
  })

  return (
    <div className="grid items-start gap-x-14 gap-y-10 md:grid-cols-2">
      <form method="post" noValidate tabIndex={-1} className="outline-none" onSubmit={submit}>
        <Field
          label="Address"
          autoComplete="address-level2"
          error={errors.address?.message}
          {...register('address')}
        />
        <TextField label="Review" rows={5} error={errors.reviews?.message} {...register('reviews')} />
        <RatingField label="Ratings" rating={rating} error={errors.rating?.message} {...register('rating')} />
        <MissingFields form={form} labels={{ address: 'Address', reviews: 'Review', rating: 'Ratings' }} />
        <FormError message={formError.message} />
        <SubmitButton busy={isSubmitting} disabled={!isValid}>
          Add Review
        </SubmitButton>
      </form>
      <div>
        <h2 className="mb-3 text-base">Preview</h2>
        <ReviewCard
          review={{
            name: session.name,
            image: session.photoURL,
            address: values.address || '…',
            reviews: values.reviews || '…',
            rating,
          }}
        />
      </div>
    </div>
  )
}
