import type { ReactNode } from 'react'

export type Fact = [term: string, value: ReactNode]

export function Facts({ title, facts }: { title: string; facts: Fact[] }) {
  return (
    <section>
      <h2 className="text-base">{title}</h2>
      <div className="mt-2 border-t border-base-300">
        <FactList facts={facts} />
      </div>
    </section>
  )
}

export function FactList({ facts }: { facts: Fact[] }) {
  return (
    <dl className="text-sm">
      {facts
        .filter(([, value]) => value)
        .map(([term, value]) => (
          <div key={term} className="flex flex-wrap justify-between gap-x-6 border-b border-base-300 py-2">
            <dt className="shrink-0 text-base-content/75">{term}</dt>
            <dd className="ml-auto min-w-0 text-right font-medium wrap-anywhere whitespace-pre-line">
              {value}
            </dd>
          </div>
        ))}
    </dl>
  )
}
