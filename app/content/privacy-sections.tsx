import type { SignInProvider } from '#shop/ports.ts'

export interface PrivacyFacts {
  demo: boolean
  hosted: boolean
  providers: SignInProvider[]
  /** Providers that a test page of the shop replaces. */
  testProviders: SignInProvider[]
  stripe: boolean
  outbox: boolean
}

export function DataYouEnter({ hosted }: PrivacyFacts) {
  return (
    <>
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
          With a review: its text, stars and address line. Everybody can see these, with your name and photo.
        </li>
        <li>
          A photo at another website, from your profile or the service you signed in with, is copied once.
          Visitors load our copy, so that website does not learn about them.
        </li>
      </ul>
    </>
  )
}

export function DataWeRecord({ hosted, outbox }: PrivacyFacts) {
  return (
    <>
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
        Whoever registers is mailed a link that confirms the address. It is good for a day and once. Until an
        address is confirmed, we send it at most three mails a day, links for a new password not counted.
      </p>
      <p>
        We write to you about your orders: when one is placed, paid, shipped or refunded, before the time to
        pay is over, when a payment of yours goes back, and when a refund failed. There are no other mails,
        and nothing to unsubscribe from.
        {outbox &&
          ` In this demo ${hosted ? 'these mails are' : 'mails are'} not sent: everybody can read them${hosted ? '' : ', links for a new password and for your address included,'} in its outbox.`}
      </p>
      <p>
        As you leave a page, your browser tells us how long it took to appear and to react. We add these times
        up for each kind of page. No cookie is set for it, and nothing we keep says whose they were.
      </p>
    </>
  )
}

export function BrowserStorage({ hosted, providers }: PrivacyFacts) {
  return (
    <>
      <h2>What your browser keeps</h2>
      <ul>
        {hosted ? (
          <li>
            In local storage, under names that begin with <code>firebase</code>, what keeps you signed in
            until you log out.
          </li>
        ) : (
          <li>
            A cookie that keeps you signed in, until you log out and for at most 30 days
            {providers.length > 0 &&
              '; and while you sign in elsewhere, for minutes, one that proves that it was you who began'}
            . Another, kept for a year, recognises a browser that has signed in before, so that strangers who
            guess your password do not lock you out.
          </li>
        )}
        <li>
          In local storage an <code>accessToken</code>, valid for an hour and renewed while you are signed in.
          Logging out removes it, and leaves a mark only until the sign-out is complete.
        </li>
        <li>
          In session storage what you have typed and not sent, until you send it, log out or close the tab,
          and how far down you had read each page.
        </li>
        <li>A cookie that remembers light or dark, if you switch.</li>
      </ul>
    </>
  )
}

export function CardPayments({ demo, stripe }: PrivacyFacts) {
  return (
    <>
      <h2>Cards</h2>
      <p>
        {`Your card details go from your browser to the card provider${stripe ? ', Stripe,' : ''} and not through the shop. With them go your name and email${stripe ? ', and the country and postal code that you enter there' : ''}. The shop tells it what an order costs, its number and your email, and learns whether it was paid.`}
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
    </>
  )
}
