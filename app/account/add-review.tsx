import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import type { z } from 'zod'
import { isAdmin, redirectTo, requireSignedIn } from '#app/auth/guards.ts'
import { type Session, useSession } from '#app/auth/session.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client, nullIfMissing } from '#app/client.ts'
import { toReviewCard } from '#app/content/review-card.ts'
import { ReviewCard } from '#app/content/reviews.tsx'
import { clearDraft, idempotencyKeyFor, readDraft, useDraft } from '#app/drafts.ts'
import { noindex } from '#app/meta.ts'
import { keepFocus, useFormError, useInitialValidation } from '#app/ui/behaviour/form.ts'
import { MissingFields } from '#app/ui/behaviour/missing-fields.tsx'
import { rememberPage } from '#app/ui/behaviour/same-page.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { Field, TextField } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import type { Part } from '#shop/parts/part.ts'
import { type ReviewForm, reviewForm } from '#shop/reviews/review.ts'
import type { Route } from './+types/add-review'
import { RatingField } from './rating-field.tsx'

export const meta = () => noindex('Add A Review')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  if (await isAdmin(requireSignedIn(request))) throw redirectTo('/dashboard', request)
  const partId = new URL(request.url).searchParams.get('part')
  if (!partId) return null
  const params = { partId }
  const [part, status] = await Promise.all([
    client.readPart({ params }).catch(nullIfMissing),
    client.readPartReviewStatus({ params }),
  ])
  return { part, status }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function AddReview({ loaderData }: Route.ComponentProps) {
  const session = useSession()
  if (!session) return null
  const part = loaderData?.part
  const obstacle = loaderData && findObstacle(loaderData)
  return (
    <>
      <h1 className="mb-5">Add A Review</h1>
      {obstacle ? (
        <p>
          {`${obstacle} `}
          <Link to="/dashboard/addReview" className="link">
            Review our shop
          </Link>
        </p>
      ) : (
        <>
          {part && (
            <p className="mb-5">
              {'You’re reviewing '}
              <Link to={`/parts/${part._id}`} className="link">
                {part.name}
              </Link>
              .
            </p>
          )}
          <NewReview key={`${session.email} ${part?._id}`} session={session} part={part} />
        </>
      )}
    </>
  )
}

/** Why the customer can’t review the part. */
function findObstacle({ part, status }: NonNullable<Route.ComponentProps['loaderData']>) {
  if (!part) return 'This part is no longer for sale.'
  if (status.reviewed) return `You’ve already reviewed ${part.name}. Thank you.`
  if (!status.bought) return `Only customers who have bought ${part.name} can review it.`
  return null
}

type Input = z.input<typeof reviewForm>

const emptyReview: Omit<Input, 'partId'> = { address: '', reviews: '', rating: '' }
const fieldNames = Object.keys(emptyReview) as (keyof typeof emptyReview)[]

function NewReview({ session, part }: { session: Session; part: Part | null | undefined }) {
  const draft = part ? `review:${part._id}` : 'review'
  const navigate = useNavigate()
  const form = useForm<Input, unknown, ReviewForm>({
    resolver: zodResolver(reviewForm),
    mode: 'onChange',
    defaultValues: { ...emptyReview, ...readDraft<Input>(draft) },
  })
  useDraft(draft, form)
  useInitialValidation(form)
  const { register, handleSubmit, reset, setError, watch, formState } = form
  const { errors, isValid, isSubmitting } = formState
  const formError = useFormError(setError, fieldNames)
  const values = watch()
  const rating = Number(values.rating)

  const submit = handleSubmit(async (values, event) => {
    formError.clear()
    const body = { ...values, ...(part && { partId: part._id }) }
    const isHere = rememberPage()
    try {
      await client.addReview({ body, key: idempotencyKeyFor(draft, body) })
      keepFocus(event)
      reset(emptyReview)
      clearDraft(draft)
      showToast('Added Review Successfully!')
      if (part && isHere()) await navigate(`/parts/${part._id}`)
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
          review={toReviewCard({
            _id: '',
            name: session.name,
            image: session.photoURL,
            rating,
            answer: null,
            address: values.address || '…',
            reviews: values.reviews || '…',
            verifiedBuyer: part !== undefined,
          })}
        />
      </div>
    </div>
  )
}
