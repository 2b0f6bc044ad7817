import { Link } from 'react-router'
import { PartPapers } from '#app/sheets/part-papers.tsx'
import type { PartSummary } from '#shop/parts/part.ts'
import type { FormerPart } from './former-part.server.ts'
import { PartCard } from './part-card.tsx'
import { PartCards } from './part-cards.tsx'
import { PartName } from './part-name.tsx'

export function FormerPartPage({ former }: { former: FormerPart }) {
  const { _id, name, papers, notice, by, related } = former
  return (
    <>
      <h1 className="mt-10">
        <PartName name={name} />
      </h1>
      <p className="mt-4 max-w-prose border-l-4 border-warning pl-3 text-lg">{notice}</p>
      <p className="mt-5">
        <Link to={by ? `/parts/${by._id}` : '/parts'} className="btn btn-primary">
          {by ? `View ${by.partNumber}` : 'Browse parts'}
        </Link>
      </p>
      <PartPapers partId={_id} papers={papers} />
      <RelatedParts {...related} />
    </>
  )
}

export function RelatedParts({ title, parts }: { title: string; parts: PartSummary[] }) {
  if (parts.length === 0) return null
  return (
    <section className="mt-20">
      <h2 className="mb-6">{title}</h2>
      <PartCards
        className="grid gap-x-6 gap-y-12 sm:grid-cols-2 lg:grid-cols-4"
        Card={PartCard}
        cards={parts.map((part) => ({ part, sizes: '(width < 40rem) 92vw, (width < 64rem) 44vw, 18rem' }))}
      />
    </section>
  )
}
