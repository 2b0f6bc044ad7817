import { useEffect, useState } from 'react'
import { ApiError, client } from '#app/client.ts'
import { usePricing } from '#app/company.ts'
import { onReconnect } from '#app/poll.ts'
import type { Delivery } from '#shop/addresses/address.ts'
import type { Estimate, EstimateRequest } from '#shop/charges/estimate.ts'

/** Typing ends before it is sent. */
const typingMs = 300

interface Answer {
  key: string
  /** Dollars, as they were when it was asked for. */
  goods: number
  /** Null when it could not be read. */
  estimate: Estimate | null
}

interface Options {
  lines: EstimateRequest['lines']
  /** Dollars: the sum of the prices that are shown. */
  goods: number
  /** As much of it as is typed. */
  to: Pick<Delivery, 'country' | 'region' | 'postcode'>
  /** At the factory. */
  isCollected: boolean
}

/** What an order costs with delivery and tax, as its form is filled in. Its last figures stay while the next are read. */
export function useEstimate({ lines, goods, to, isCollected }: Options) {
  const { country, region, postcode } = to
  const isCharged = usePricing() !== null
  const [isRefused, setIsRefused] = useState(false)
  /** How often the same was to be read again. */
  const [round, setRound] = useState(0)
  const [answer, setAnswer] = useState<Answer>()
  const isOn = (isCharged || isRefused) && lines.length > 0
  const request = JSON.stringify({
    lines,
    country,
    region,
    postcode: postcode.slice(0, 16),
    ...(isCollected && { collect: true }),
  })
  const key = `${round} ${request}`

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each request
  useEffect(() => {
    if (!isOn) return
    const controller = new AbortController()
    const { signal } = controller
    const read = () =>
      client.estimateCharges({ body: JSON.parse(request), signal }).then(
        (estimate) => !signal.aborted && setAnswer({ key, goods, estimate }),
        () => !signal.aborted && setAnswer((before) => ({ goods, ...keepFigures(before), key })),
      )
    const timer = setTimeout(read, answer ? typingMs : 0)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [key, isOn])

  useEffect(() => (isOn ? onReconnect(() => setRound((count) => count + 1)) : undefined), [isOn])

  /** Of an order that was refused; one that was shown another total is estimated again. */
  function explain(error: unknown, button: string) {
    if (!(error instanceof ApiError && error.fields.total)) return error
    setIsRefused(true)
    setRound((count) => count + 1)
    return new Error(`${error.message} To order at this total, select ${button} again.`)
  }

  const estimate = answer?.estimate ?? null
  return {
    isOn,
    estimate,
    goods: answer?.goods ?? goods,
    isLoading: isOn && answer?.key !== key,
    /** Whether the total is known. */
    isShown: Boolean(estimate?.charges),
    /** Whether nothing can be ordered: no total was shown yet, or the shop does not deliver there. */
    isBlocked: isOn && (!answer || Boolean(estimate?.problem)),
    /** Cents, as shown. */
    total: (isOn && estimate?.charges?.total) || goods * 100,
    explain,
  }
}
export type ShownEstimate = ReturnType<typeof useEstimate>

/** The address may be another one by now. */
function keepFigures(before: Answer | undefined) {
  return before?.estimate?.charges ? before : { estimate: null }
}
