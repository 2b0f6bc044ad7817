import { companyIn, useCompany } from '#app/company.ts'
import { shopContext } from '#app/context.ts'
import { indexable } from '#app/meta.ts'
import { readPricing } from '#shop/charges/pricing.server.ts'
import { readSettings } from '#shop/settings/settings.server.ts'
import type { Route } from './+types/privacy'
import {
  BrowserStorage,
  CardPayments,
  DataWeRecord,
  DataYouEnter,
  joinNames,
  type PrivacyFacts,
} from './privacy-sections.tsx'
import { Prose, WrittenProse } from './prose.tsx'

export const meta: Route.MetaFunction = ({ matches }) =>
  indexable(matches, {
    title: 'Privacy',
    description: `What ${companyIn(matches).name} knows about you, what your browser stores and who can see it.`,
    path: '/privacy',
  })

export async function loader({ context }: Route.LoaderArgs): Promise<PrivacyFacts & { text: string }> {
  const { demo, identity, outbox, shop } = context.get(shopContext)
  const { texts, deliveryAndTax } = await readSettings(shop)
  return {
    text: texts.privacy,
    taxed: deliveryAndTax.tax.mode !== 'none',
    vies: shop.vatRegister !== null,
    stripeTax: deliveryAndTax.tax.mode === 'stripe' && shop.payments.settings.kind === 'stripe',
    demo,
    hosted: identity.kind === 'firebase',
    providers: identity.providers,
    stripe: shop.payments.settings.kind === 'stripe',
    outbox: outbox !== null,
    isCharged: (await readPricing(shop)) !== null,
    testProviders: identity.kind === 'embedded' ? identity.testMode : [],
  }
}

export default function Privacy({ loaderData: { text, ...facts } }: Route.ComponentProps) {
  const company = useCompany()
  if (text) return <WrittenProse title="Privacy" text={text} />
  return (
    <>
      <h1 className="mt-10 mb-6">Privacy</h1>
      <Prose>
        <p>You can browse this shop without an account. It has no ads and no trackers.</p>

        <DataYouEnter {...facts} />
        {facts.providers.length > 0 && <ProviderSignIn {...facts} />}
        <DataWeRecord {...facts} />
        <BrowserStorage {...facts} />
        <CardPayments {...facts} />

        <h2>Who can see it and how long we keep it</h2>
        <p>
          You can see your own orders and profile. Our staff can see orders, profiles, messages and the list
          of accounts. We keep orders, including cancelled ones, with their payments and refunds as business
          records. We keep your account, profile, messages and reviews until you ask us to delete them, and
          your delivery addresses until you delete them.
        </p>

        <h2>Your rights</h2>
        <p>
          To see, correct or delete your information, or to delete your account, email{' '}
          <a href={`mailto:${company.email}`}>{company.email}</a>. You can’t delete an account yourself.
        </p>
      </Prose>
    </>
  )
}

function ProviderSignIn({ providers, testProviders }: PrivacyFacts) {
  const real = providers.filter((provider) => !testProviders.includes(provider))
  return (
    <>
      <h2>{`Signing in with ${joinNames(providers, 'or')}`}</h2>
      {real.length > 0 && (
        <p>
          {`If you sign in with ${joinNames(real, 'or')}, that provider can see that you use this shop. We receive your name, your email address and a link to your photo, and nothing else. We never see your password for that account. We copy your photo once and show our copy.`}
        </p>
      )}
      {testProviders.length > 0 && (
        <p>
          {`In this demo, a test page replaces ${joinNames(testProviders, 'and')}. Nothing is sent to them.`}
        </p>
      )}
      <p>{`You can change your name and photo in My Profile. This doesn’t change them at ${joinNames(providers, 'or')}.`}</p>
    </>
  )
}
