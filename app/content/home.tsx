import { Link } from 'react-router'
import { brand } from '#app/brand.ts'
import { PartCard } from '#app/catalogue/part-card.tsx'
import { PartCards } from '#app/catalogue/part-cards.tsx'
import { companyIn, usePricing } from '#app/company.ts'
import { brandLogos } from '#app/content/brand-logos.tsx'
import { shopContext } from '#app/context.ts'
import { indexable, shopOrigin } from '#app/meta.ts'
import { ContinuePurchase } from '#app/purchase/continue-purchase.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { partSummary } from '#shop/parts/part.ts'
import { listParts } from '#shop/parts/parts.server.ts'
import { listReviews } from '#shop/reviews/reviews.server.ts'
import type { Route } from './+types/home'
import { Contact } from './contact.tsx'
import { reviewSection } from './review-card.ts'
import { Reviews } from './reviews.tsx'

export const meta: Route.MetaFunction = ({ matches }) =>
  indexable(matches, {
    title: `${brand.name} · ${brand.tagline}`,
    path: '/',
    about: [
      {
        '@type': 'Organization',
        name: companyIn(matches).name,
        slogan: brand.tagline,
        url: shopOrigin(matches),
        logo: `${shopOrigin(matches)}/favicon.svg`,
        email: companyIn(matches).email,
        telephone: companyIn(matches).phone,
        address: companyIn(matches).address,
      },
    ],
  })

export async function loader({ context }: Route.LoaderArgs) {
  const { reader: shop } = context.get(shopContext)
  const [parts, reviews] = await Promise.all([
    listParts(shop, { limit: 3 }),
    listReviews(shop, { limit: 12 }),
  ])
  return {
    featured: parts.rows.map((row) => partSummary.parse(row)),
    reviews: reviewSection(reviews, { title: 'What Our Beloved Client Says', to: '/reviews' }),
  }
}

export default function Home({ loaderData: { featured, reviews } }: Route.ComponentProps) {
  const note = usePricing()?.note
  return (
    <>
      <ContinuePurchase />
      <Banner />

      <section className="mt-16">
        <div className="mb-6 flex items-baseline justify-between gap-4">
          <h2>Featured products</h2>
          <Link to="/parts" className="flex items-center gap-1.5 whitespace-nowrap hover:underline">
            All parts <Icon name="arrow" className="size-4" />
          </Link>
        </div>
        {note && <p className="-mt-4 mb-6 text-sm text-base-content/75">{`Prices ${note}.`}</p>}
        <PartCards
          className="grid gap-x-6 gap-y-12 md:grid-cols-3"
          Card={PartCard}
          cards={featured.map((part) => ({
            part,
            sizes: '(width < 48rem) 92vw, (width < 80rem) 30vw, 24rem',
          }))}
        />
      </section>

      <Stats />
      <Team />
      <Reviews {...reviews} />
      <Contact />
      <Brands />
    </>
  )
}

function Banner() {
  return (
    <section className="wide columns relative isolate min-h-[500px] overflow-hidden bg-ink text-paper">
      <img
        src="/hero.svg"
        alt=""
        width="1200"
        height="1000"
        fetchPriority="high"
        className="wide absolute -z-10 max-sm:top-[16.25rem] max-sm:left-[calc(50%-12rem)] max-sm:h-[25rem] max-sm:w-[30rem] max-sm:max-w-none sm:right-0 sm:h-full sm:w-full sm:max-w-[80rem] sm:object-cover sm:object-right sm:max-xl:-right-1/4"
      />
      <div className="flex min-h-[500px] flex-col items-start gap-5 py-10 sm:justify-center sm:gap-6">
        <h1 className="max-w-[11ch] text-banner font-[700] font-stretch-[122%]">{brand.headline}</h1>
        <p className="max-w-[34ch] text-lg text-paper/85 md:max-w-[30ch]">{brand.pitch}</p>
        <Link to="/parts" className="btn border-0 bg-flame text-ink btn-lg hover:bg-flame/85">
          Browse parts <Icon name="arrow" />
        </Link>
      </div>
    </section>
  )
}

function Stats() {
  return (
    <section className="wide columns mt-20 bg-base-200 py-14">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-10 md:grid-cols-4">
        {brand.stats.map(({ label, value }) => (
          <div key={label} className="flex flex-col-reverse border-l-2 border-primary pl-4">
            <dt className="text-base-content/80">{label}</dt>
            <dd className="text-[clamp(1.75rem,1.2rem+2.4vw,3rem)] leading-tight font-[680] font-stretch-[118%]">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Team() {
  return (
    <section className="mt-20">
      <h2 className="mb-6">Meet the team</h2>
      <ul className="grid gap-x-6 gap-y-10 sm:grid-cols-2 lg:grid-cols-4">
        {brand.team.map(({ name, role, description, picture }) => (
          <li key={name} className="flex gap-4 sm:block">
            <img
              src={picture}
              alt=""
              width="400"
              height="400"
              loading="lazy"
              className="plate size-24 shrink-0 object-cover sm:aspect-square sm:size-auto sm:w-full"
            />
            <div>
              <h3 className="text-lg leading-snug sm:mt-4">{name}</h3>
              <p className="text-sm text-primary">{role}</p>
              <p className="mt-2 text-base-content/80">{description}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Brands() {
  return (
    <section className="mt-20" aria-label="Brands">
      <ul className="grid grid-cols-2 border-t border-l border-base-300 sm:grid-cols-3 lg:grid-cols-6">
        {brand.brands.map((brandName) => (
          <li key={brandName} className="border-r border-b border-base-300">
            <Link
              to={`/parts?${new URLSearchParams({ brand: brandName })}`}
              className="flex flex-col items-center gap-3 py-7 text-base-content/75 transition-colors hover:text-primary [&_svg]:size-10"
            >
              {brandLogos[brandName]}
              <span className="font-[640] font-stretch-[114%]">{brandName}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
