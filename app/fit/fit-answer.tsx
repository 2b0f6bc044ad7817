import type { Fit, FitAnswer } from '#shop/fit/interface.ts'

const looks: Record<FitAnswer, { label: string; mark: string; className: string }> = {
  fits: { label: 'Fits', mark: '✓', className: 'border-success' },
  fitsWith: { label: 'Fits with', mark: '✓', className: 'border-success' },
  doesNotFit: { label: 'Does not fit', mark: '✕', className: 'border-error' },
  notKnown: { label: 'Not known', mark: '?', className: 'border-warning' },
}

/** With what it was decided from. */
export function FitAnswerBox({ title, fit }: { title: string; fit: Fit }) {
  const { label, mark, className } = looks[fit.answer]
  return (
    <section aria-label="Answer" className={`rounded-box border-2 p-5 ${className}`}>
      <p className="text-sm text-base-content/75">{title}</p>
      <p className="mt-1 text-lg font-semibold">
        <span aria-hidden="true">{`${mark} `}</span>
        {fit.with ? `${label} ${fit.with}` : label}
      </p>
      <p className="mt-2 max-w-prose">{fit.because}</p>
      {fit.facts.length > 0 && (
        <details className="mt-3">
          <summary className="link text-sm">What this was decided from</summary>
          <ul className="mt-2 grid gap-1 text-sm">
            {fit.facts.map(({ of, fact, value, source, date }) => (
              <li key={`${of} ${fact} ${value}`}>
                {`${of}: ${fact.toLowerCase()} ${value}`}
                <span className="text-base-content/70">{` (${[source, date].filter(Boolean).join(', ') || 'no source'})`}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
