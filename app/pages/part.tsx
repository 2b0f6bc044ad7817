import { data } from 'react-router'
import { brand } from '#app/brand.ts'
import { shopContext } from '#app/context.ts'
import { PartFacts, PurchaseLink } from '#app/ui/part-card.tsx'
import { ShopError } from '#shop/errors.ts'
import { readPart } from '#shop/parts/parts.server.ts'
import type { Route } from './+types/part'

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.part.name ?? 'No such part'} · ${brand.name}` },
  { name: 'description', content: loaderData?.part.shortDescription },
]

export async function loader({ context, params }: Route.LoaderArgs) {
  try {
    return { part: await readPart(context.get(shopContext).shop, params.partId) }
  } catch (error) {
    if (error instanceof ShopError) throw data({ message: error.message }, 404)
    throw error
  }
}

export default function PartPage({ loaderData: { part } }: Route.ComponentProps) {
  return (
    <article className="grid gap-8 md:grid-cols-2">
      <img
        src={part.image}
        alt={part.name}
        width="1200"
        height="900"
        className="aspect-4/3 w-full rounded-box border border-base-300 bg-base-200 object-cover"
      />
      <div className="flex flex-col gap-4">
        <p className="text-sm text-base-content/80">
          {[part.brand, part.category].filter(Boolean).join(' · ')}
        </p>
        <h1 className="text-3xl font-semibold tracking-tight">{part.name}</h1>
        <p className="text-lg">{part.shortDescription}</p>
        <p className="max-w-prose text-base-content/90">{part.description}</p>
        <PartFacts part={part} />
        <PurchaseLink part={part} />
      </div>
    </article>
  )
}
