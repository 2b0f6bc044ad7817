import { brand } from '#app/brand.ts'
import { shopContext } from '#app/context.ts'
import { indexable } from '#app/meta.ts'
import { providerNames, type SignInProvider } from '#shop/ports.ts'
import type { Route } from './+types/privacy'
import { Prose } from './prose.tsx'

export const meta: Route.MetaFunction = ({ matches }) =>
  indexable(matches, {
    title: 'Privacy',
    description: `What ${brand.name} knows about you, what your browser keeps, and who sees it.`,
    path: '/privacy',
  })

export function loader({ context }: Route.LoaderArgs) {
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

export default function Privacy({ loaderData }: Route.ComponentProps) {
  const { demo, hosted, providers, testProviders, stripe, outbox } = loaderData
  return (
    <>
      <h1 className="mt-10 mb-6">Privacy</h1>
      <Prose>
        <p>
          You can look around this shop without saying who you are. It has no advertising and no trackers.
        </p>

        <h2>What you tell us</h2>
        <ul>
          <li>
            With an account: your name, email and password.{' '}
            {hosted
              ? 'They are kept by Firebase Authentication, a service of Google, for us; we never see the password.'
              : 'The password is kept only as a hash, from which it cannot be read back.'}
          </li>
          <li>With an order: the delivery address, a phone number and what you bought.</li>
          <li>With your profile, if you fill it in: education, address, phone, photo and LinkedIn page.</li>
          <li>With a message: your name, email, phone number and what you write.</li>
          <li>
            With a review: its text, stars and address line. Everybody can see these, with your name and
            photo.
          </li>
        </ul>

        {providers.length > 0 && <ProviderSignIn providers={providers} testProviders={testProviders} />}

        <h2>What we note ourselves</h2>
        <p>
          {hosted
            ? 'Firebase notes your network address and browser as you sign in. '
            : 'A sign-in notes which browser it was made with. '}
          To stop abuse we count attempts, such as failed sign-ins, by account and network address; a count is
          deleted once it no longer matters, usually within hours.
        </p>
        <p>
          Whoever asks for a new password is mailed a link, to the address of the account. It is good for an
          hour and once. Setting the password signs out everybody who was signed in by the old one.
        </p>
        <p>
          Whoever registers is mailed a link that confirms the address. It is good for a day and once. Until
          an address is confirmed, we send it at most three mails a day, links for a new password not counted.
        </p>
        <p>
          We write to you about your orders: when one is placed, paid, shipped or refunded, before the time to
          pay is over, when a payment of yours goes back, and when a refund failed. There are no other mails,
          and nothing to unsubscribe from.
          {outbox &&
            ` In this demo ${hosted ? 'these mails are' : 'mails are'} not sent: everybody can read them${hosted ? '' : ', links for a new password and for your address included,'} in its outbox.`}
        </p>
        <p>
          As you leave a page, your browser tells us how long it took to appear and to react. We add these
          times up for each kind of page. No cookie is set for it, and nothing we keep says whose they were.
        </p>

        <h2>What your browser keeps</h2>
        <ul>
          {hosted ? (
            <li>
              In local storage, under names that begin with <code>firebase</code>, what keeps you signed in
              until you log out.
            </li>
          ) : (
            <li>
              A cookie that keeps you signed in, until you log out or it expires
              {providers.length > 0 &&
                '; and while you sign in elsewhere, for minutes, one that proves that it was you who began'}
              . Another, kept for a year, recognises a browser that has signed in before, so that strangers
              who guess your password do not lock you out.
            </li>
          )}
          <li>
            In local storage an <code>accessToken</code>, valid for an hour and renewed while you are signed
            in. Logging out removes it, and leaves a mark only until the sign-out is complete.
          </li>
          <li>
            In session storage what you have typed and not sent, until you send it, log out or close the tab,
            and how far down you had read each page.
          </li>
          <li>A cookie that remembers light or dark, if you switch.</li>
        </ul>

        <h2>Cards</h2>
        <p>
          {`Your card details go from your browser to the card provider${stripe ? ', Stripe,' : ''} and not through the shop. With them go your name and email. The shop tells it what an order costs, its number and your email, and learns whether it was paid.`}
        </p>
        {stripe && (
          <p>
            Stripe’s script is loaded when you open the page where you pay, and not before. From then on it
            stays, also while you go on to other pages, until you reload the page or close it. It may set
            cookies of Stripe’s own, by which Stripe recognises fraud.
          </p>
        )}
        <p>
          Of every payment and refund we keep its transaction id, its amount and when it was; of a refund also
          who made it and why. The page of the order shows all that, but not which of us made a refund.
        </p>
        {demo && (
          <p>
            In this demo no money moves. A built-in test bank stands in for the card provider, takes only
            published test numbers, and keeps a card’s brand and last four digits. The admin’s password is
            published too, so type nothing real here.
          </p>
        )}

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

interface ProviderProps {
  providers: SignInProvider[]
  /** Providers that a test page of the shop replaces. */
  testProviders: SignInProvider[]
}

function ProviderSignIn({ providers, testProviders }: ProviderProps) {
  const real = providers.filter((provider) => !testProviders.includes(provider))
  return (
    <>
      <h2>{`Signing in with ${named(providers, 'or')}`}</h2>
      {real.length > 0 && (
        <p>
          {`Only if you press the button of ${named(real, 'or')}, you go there, and they learn that you use this shop. We receive your name, your email address and the address of your picture, and nothing else: no contacts, no posts, no code, and never your password there. Your picture is then fetched from them whenever it is shown.`}
        </p>
      )}
      {testProviders.length > 0 && (
        <p>
          {`In this demo a page of the shop stands in for ${named(testProviders, 'and')}: nothing is asked or sent there.`}
        </p>
      )}
      <p>You can change name and picture in My Profile; it changes nothing there.</p>
    </>
  )
}

function named(providers: SignInProvider[], word: 'and' | 'or') {
  return providers.map((provider) => providerNames[provider]).join(` ${word} `)
}
