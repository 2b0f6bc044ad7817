import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate, useRevalidator, useSearchParams } from 'react-router'
import type { z } from 'zod'
import { adminClient } from '#app/admin/client.ts'
import { ApiError } from '#app/client.ts'
import { clearDraft, idempotencyKeyFor, readDraft, useDraft } from '#app/drafts.ts'
import { useFormError } from '#app/ui/behaviour/form.ts'
import { rememberPage } from '#app/ui/behaviour/same-page.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import type { PartSummary } from '#shop/parts/part.ts'
import { lowestQuantity, unitPriceAt } from '#shop/parts/quantity.ts'
import { type Quote, type QuoteForm, quoteForm } from '#shop/quotes/quote.ts'

export type QuoteInput = z.input<typeof quoteForm>

const twoWeeksMs = 14 * 24 * 60 * 60 * 1000

/** A new one is for the customer whom the address names. */
function toInput(quote: Quote | null, customer: URLSearchParams): QuoteInput {
  const inTwoWeeks = new Date(Date.now() + twoWeeksMs).toISOString().slice(0, 10)
  return {
    email: quote?.email ?? customer.get('email') ?? '',
    name: quote?.name ?? customer.get('name') ?? '',
    validUntil: quote?.validUntil ?? inTwoWeeks,
    note: quote?.note ?? '',
    belowMinimum: quote?.belowMinimum ?? false,
    lines: quote?.lines.map(({ partId, quantity, unitPrice }) => ({ partId, quantity, unitPrice })) ?? [],
  }
}

/** `quote` is null for a new one; `parts` are those of its lines. */
export function useQuoteForm(quote: Quote | null, parts: PartSummary[]) {
  const [customer] = useSearchParams()
  const draft = `quote:${quote ? `${quote._id} ${quote.version}` : `new${customer.get('email') ?? ''}`}`
  const form = useForm<QuoteInput, unknown, QuoteForm>({
    resolver: zodResolver(quoteForm),
    defaultValues: { ...toInput(quote, customer), ...readDraft<QuoteInput>(draft) },
  })
  useDraft(draft, form)
  const [known, setKnown] = useState(parts)
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const formError = useFormError(form.setError, ['email', 'name', 'validUntil', 'note', 'lines'])

  function addPart(part: PartSummary) {
    setKnown((before) => [...before.filter(({ _id }) => _id !== part._id), part])
    const lines = form.getValues('lines')
    if (lines.some(({ partId }) => partId === part._id)) return
    const quantity = lowestQuantity(part)
    const line = { partId: part._id, quantity, unitPrice: unitPriceAt(part, quantity) }
    form.setValue('lines', [...lines, line], {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    })
  }

  function removePart(partId: string) {
    const left = form.getValues('lines').filter((line) => line.partId !== partId)
    form.setValue('lines', left, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  }

  /** Saves the draft and, if `sends`, emails its link. */
  function submit(sends: boolean) {
    return form.handleSubmit(async (body) => {
      formError.clear()
      const isHere = rememberPage()
      try {
        const id = await save(body)
        clearDraft(draft)
        if (sends) await adminClient.sendQuote({ params: { id } })
        showToast(sends ? `Quote sent to ${body.email}` : 'Draft saved')
        if (isHere() && !quote) await navigate(`/dashboard/quotes/${id}`, { replace: true })
        else await revalidate()
      } catch (error) {
        formError.show(withLineErrors(error))
      }
    })
  }

  async function save(body: QuoteForm) {
    if (!quote) {
      const key = idempotencyKeyFor(draft, body)
      return (await adminClient.addQuote({ body, key })).insertedId
    }
    const { _id: id, version } = quote
    if (form.formState.isDirty || readDraft(draft))
      await adminClient.updateQuote({ params: { id }, body: { ...body, version } })
    return id
  }

  /** Shows those of the lines at their fields. */
  function withLineErrors(error: unknown) {
    const fields = error instanceof ApiError ? error.fields : {}
    for (const [name, [message] = []] of Object.entries(fields)) {
      const [, index, field] = /^lines\.(\d+)\.(quantity|unitPrice)$/.exec(name) ?? []
      if (index && message)
        form.setError(`lines.${Number(index)}.${field as 'quantity' | 'unitPrice'}`, { message })
    }
    return error
  }

  return { form, known, message: formError.message, addPart, removePart, submit }
}
