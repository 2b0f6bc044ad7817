import { brand } from '#app/brand.ts'
import { shopContext } from '#app/context.ts'
import { indexable } from '#app/meta.ts'
import { providerNames, type SignInProvider } from '#shop/ports.ts'
import type { Route } from './+types/privacy'
import {
  BrowserStorage,
  CardPayments,
  DataWeRecord,
  DataYouEnter,
  type PrivacyFacts,
} from './privacy-sections.tsx'
import { Prose } from './prose.tsx'

export const meta: Route.MetaFunction = ({ matches }) =>
  indexable(matches, {
    title: 'Privacy',
    description: `What ${brand.name} knows about you, what your browser keeps, and who sees it.`,
    path: '/privacy',
  })

export function loader({ context }: Route.LoaderArgs): PrivacyFacts {
  const { demo, identity, outbox, shop } = context.get(shopContext)
  return {
    demo,
    hosted: identity.kind === 'firebase',
    providers: identity.providers,
    stripe: shop.payments.settings.kind === 'stripe',
    outbox: outbox !== null,
    testProviders: identity.kind === 'embedded' ? identity.testMode : [],
  }
}

export default function Privacy({ loaderData: facts }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mt-10 mb-6">Privacy</h1>
      <Prose>
        <p>
          You can look around this shop without saying who you are. It has no advertising and no trackers.
        </p>

        <DataYouEnter {...facts} />
        {facts.providers.length > 0 && <ProviderSignIn {...facts} />}
        <DataWeRecord {...facts} />
        <BrowserStorage {...facts} />
        <CardPayments {...facts} />

        <h2>Who sees it, and for how long</h2>
        <p>
          You see your own orders and profile. Our staff can see orders, profiles, messages and the list of
          accounts. We keep orders, cancelled ones too, and their payments and refunds as business records,
          and everything else until you ask us to delete it.
        </p>

        <h2>Your say</h2>
        <p>
          To see, correct or delete what we know about you, write to{' '}
          <a href={`mailto:${brand.contact.email}`}>{brand.contact.email}</a>. An account is deleted by us, by
          hand; there is no button for it.
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
          {`Only if you press the button of ${joinNames(real, 'or')}, you go there, and they learn that you use this shop. We receive your name, your email address and the address of your picture, and nothing else: no contacts, no posts, no code, and never your password there. Your picture is copied from them once, and shown from our copy.`}
        </p>
      )}
      {testProviders.length > 0 && (
        <p>
          {`In this demo a page of the shop stands in for ${joinNames(testProviders, 'and')}: nothing is asked or sent there.`}
        </p>
      )}
      <p>You can change name and picture in My Profile; it changes nothing there.</p>
    </>
  )
}

function joinNames(providers: SignInProvider[], word: 'and' | 'or') {
  return providers.map((provider) => providerNames[provider]).join(` ${word} `)
}
