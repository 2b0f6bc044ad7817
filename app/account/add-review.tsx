import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
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
import { useIsPhone } from '#app/ui/behaviour/phone.ts'
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
import { ReviewSubject, shopReview } from './review-subject.tsx'

export const meta = () => noindex('Add A Review')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const session = requireSignedIn(request)
  if (await isAdmin(session)) throw redirectTo('/dashboard', request)
  const query = new URL(request.url).searchParams
  const named = query.get('part')
  const [parts, addresses, ofNamed] = await Promise.all([
    // Without them, the review can be written all the same.
    client.listReviewableParts().catch(() => []),
    client.listAddresses({ params: { email: session.email } }).catch(() => []),
    named ? readSubject(named) : null,
  ])
  // A review of the shop that was begun goes on.
  const isOfShop = query.get('about') === 'shop' || readDraft(shopDraft) !== undefined
  const latest = named || isOfShop ? undefined : parts.find(({ shippedAt }) => shippedAt)
  const subject = latest ? await readSubject(latest._id) : ofNamed
  return { parts, subject, town: addresses.find(({ isDefault }) => isDefault)?.town ?? '' }
}

async function readSubject(partId: string) {
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
  const { parts, subject, town } = loaderData
  const part = subject?.part
  const obstacle = subject && findObstacle(subject)
  const isListed = parts.some(({ _id }) => _id === part?._id)
  return (
    <div className="max-w-5xl">
      <h1 className="mb-3 md:mb-5">Add A Review</h1>
      <ReviewSubject parts={part && !obstacle && !isListed ? [part, ...parts] : parts} chosen={part?._id} />
      {obstacle ? (
        <p>
          {`${obstacle} `}
          <Link to={shopReview} className="link">
            Review our shop
          </Link>
        </p>
      ) : (
        <NewReview key={`${session.email} ${part?._id}`} session={session} part={part} town={town} />
      )}
    </div>
  )
}

/** Why the customer can’t review the part. */
function findObstacle({ part, status }: Awaited<ReturnType<typeof readSubject>>) {
  if (!part) return 'This part is no longer for sale.'
  if (status.reviewed) return `You’ve already reviewed ${part.name}. Thank you.`
  if (!status.bought) return `Only customers who have bought ${part.name} can review it.`
  return null
}

type Input = z.input<typeof reviewForm>

const shopDraft = 'review'

const emptyReview: Omit<Input, 'partId'> = { address: '', reviews: '', rating: '' }
const fieldNames = Object.keys(emptyReview) as (keyof typeof emptyReview)[]

interface Props {
  session: Session
  part: Part | null | undefined
  /** Of the default delivery address; the rest of it is nobody’s business. */
  town: string
}

function NewReview({ session, part, town }: Props) {
  const draft = part ? `review:${part._id}` : shopDraft
  const navigate = useNavigate()
  const form = useForm<Input, unknown, ReviewForm>({
    resolver: zodResolver(reviewForm),
    mode: 'onChange',
    defaultValues: { ...emptyReview, address: town, ...readDraft<Input>(draft) },
  })
  const [isAdded, setIsAdded] = useState(false)
  const isOnPhone = useIsPhone()
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
      reset({ ...emptyReview, address: town })
      clearDraft(draft)
      showToast('Added Review Successfully!')
      setIsAdded(true)
      if (part && isHere()) await navigate(`/parts/${part._id}#reviews`)
    } catch (error) {
      formError.show(error)
    }
  })

  return (
    <>
      {isAdded && !part && (
        <p role="status" className="mb-6 rounded-box border border-success px-4 py-3">
          {'Thank you. Your review is among '}
          <Link to="/reviews" className="link">
            our reviews
          </Link>
          .
        </p>
      )}
      <div className="grid items-start gap-x-14 gap-y-10 md:grid-cols-2">
        <form method="post" noValidate tabIndex={-1} className="outline-none" onSubmit={submit}>
          <RatingField
            label="Ratings"
            rating={rating}
            error={errors.rating?.message}
            {...register('rating')}
          />
          <TextField
            label="Review"
            rows={isOnPhone ? 3 : 5}
            error={errors.reviews?.message}
            {...register('reviews')}
          />
          <Field
            label="Address"
            autoComplete="address-level2"
            hint="Shown with your review. Your town is enough."
            error={errors.address?.message}
            {...register('address')}
          />
          <MissingFields form={form} labels={{ rating: 'Ratings', reviews: 'Review', address: 'Address' }} />
          <FormError message={formError.message} />
          <SubmitButton busy={isSubmitting} disabled={!isValid}>
            Add Review
          </SubmitButton>
        </form>
        {(rating > 0 || values.reviews.trim() !== '') && (
          <div className="md:sticky md:top-6">
            <h2 className="mb-2 text-sm font-medium">Preview</h2>
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
            <p className="mt-3 text-sm text-base-content/75">
              {'Your name and photo come from '}
              <Link to="/dashboard/myProfile" className="link">
                My Profile
              </Link>
              .
            </p>
          </div>
        )}
      </div>
    </>
  )
}
