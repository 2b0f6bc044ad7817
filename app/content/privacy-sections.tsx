import { providerNames, type SignInProvider } from '#shop/ports.ts'

export interface PrivacyFacts {
  demo: boolean
  hosted: boolean
  providers: SignInProvider[]
  /** Providers that a test page of the shop replaces. */
  testProviders: SignInProvider[]
  stripe: boolean
  outbox: boolean
  /** Whether orders can have delivery and tax on top of their prices, or in them. */
  isCharged: boolean
  /** Whether the shop charges tax. */
  taxed: boolean
  /** Whether it asks the European Union’s register of VAT IDs. */
  vies: boolean
  /** Whether Stripe works out the tax. */
  stripeTax: boolean
}

export function DataYouEnter({ hosted, isCharged, taxed, vies, stripeTax }: PrivacyFacts) {
  return (
    <>
      <h2>Information you give us</h2>
      <ul>
        <li>
          Your account: your name, email and password.{' '}
          {hosted
            ? 'Firebase Authentication, a Google service, stores them for us. We never see your password.'
            : 'We store your password only as a hash, so nobody can read it.'}
        </li>
        <li>
          Your orders: the delivery address, with the name and company if you enter them, your phone number
          and what you bought.
          {isCharged &&
            ' From the address, we work out delivery and tax, and keep with the order how we did so.'}
        </li>
        <li>
          Your delivery addresses: the address of your first order, and others that you save. You can change
          and delete them in My Profile. Your orders keep the address that you ordered with.
        </li>
        <li>
          Your basket: the parts and quantities you add while signed in. We delete it when you order or remove
          them, or after a year without a change.
        </li>
        <li>
          Your saved lists, if you make any: a name, parts and quantities. We keep them until you delete them.
        </li>
        <li>
          Your requests for an email when a part is back in stock. We delete each of them with its email.
        </li>
        <li>Your profile, if you fill it in: education, address, phone number, photo and LinkedIn page.</li>
        {taxed && (
          <li>
            Your VAT ID and your exemption certificate with its file, if you enter them, and whether we’ve
            checked them. You can change and remove them in My Profile. We keep the files of certificates that
            we’ve confirmed, because we have to show why we charged no tax.
            {vies &&
              ' We ask VIES, the register of the European Commission, whether a VAT ID is valid, and keep its answer.'}
          </li>
        )}
        {stripeTax && (
          <li>
            To work out the tax, we send Stripe the country, region and postcode of the address, your VAT ID
            if we’ve checked it, and what the order costs.
          </li>
        )}
        <li>
          Your messages: your name, email, phone number and what you and we write, and the order that it is
          about. They and our answers are in your dashboard, too.
        </li>
        <li>
          What we note to serve you: notes and tags of our staff, and which accounts seem to be the same
          person’s because they have the same phone number, or the same name and address.
        </li>
        <li>
          Your reviews: text, rating, address and whether you bought before. Anyone can see these, with your
          name and photo.
        </li>
        <li>
          If your photo is on another website, we copy it once. Visitors load our copy, so the other website
          doesn’t learn about them.
        </li>
      </ul>
    </>
  )
}

export function DataWeRecord({ hosted, outbox }: PrivacyFacts) {
  return (
    <>
      <h2>Information we record</h2>
      <p>
        {hosted && 'When you sign in, Firebase records your IP address and browser. '}
        To prevent abuse, we count attempts such as failed sign-ins by account and IP address. We delete these
        counts when we no longer need them, usually within hours.
      </p>
      <p>
        If you ask for a new password, we email you a link. It works once and expires after 24 hours. Setting
        a new password signs out every device that used the old one.
      </p>
      <p>
        When you register, we email you a link to confirm your address. It works once and expires after 24
        hours. Until you confirm the address, we send you at most 3 emails a day, not counting links to set a
        new password.
      </p>
      <p>
        We email you about your orders: when you place one, when it’s paid, shipped, cancelled or refunded,
        before the payment deadline, when a refund fails and, two weeks after it ships, once to ask for a
        review. A link in that email ends these requests, and we keep that choice.
        {outbox &&
          ` This demo doesn’t send ${hosted ? 'these emails' : 'emails'}. Instead, they appear in its outbox, where anyone can read them${hosted ? '' : ', including links to set a new password or confirm an address'}.`}
      </p>
      <p>
        For each shipment of your order, we keep what was in it, the carrier and the tracking number. A link
        to track it opens the carrier’s website.
      </p>
      <p>
        When you leave a page, your browser tells us how quickly it loaded and responded. We combine these
        times for each type of page. This sets no cookie, and nothing we keep identifies you.
      </p>
      <p>
        When a search of our catalogue finds nothing, we count its text, so that we can name parts as you do.
        We don’t keep who searched, and leave out what looks like an email address or a phone number.
      </p>
    </>
  )
}

export function BrowserStorage({ hosted, providers }: PrivacyFacts) {
  return (
    <>
      <h2>What your browser stores</h2>
      <ul>
        {hosted ? (
          <li>
            In local storage, entries whose names start with <code>firebase</code>. They keep you signed in
            until you sign out.
          </li>
        ) : (
          <li>
            A cookie that keeps you signed in until you sign out, for up to 30 days. Another, kept for a year,
            recognises this browser, so that someone else’s failed sign-ins can’t lock you out.
            {providers.length > 0 &&
              ` While you sign in with ${joinNames(providers, 'or')}, a third cookie protects the sign-in for a few minutes.`}
          </li>
        )}
        <li>
          In local storage, an <code>accessToken</code> that’s valid for an hour and renewed while you’re
          signed in. Signing out removes it. Until sign-out is complete, a second entry notes that you’re
          signing out.
        </li>
        <li>
          In local storage, your <code>basket</code>. When you sign in, it moves to your account, and your
          browser keeps a copy until you sign out.
        </li>
        <li>
          In local storage, <code>listAnswers</code>: the names of the columns of lists that you’ve pasted
          into quick order, and which of them you chose as the quantity.
        </li>
        <li>
          In session storage, what you’ve typed but not sent, until you send it, sign out or close the tab. It
          also keeps how far you scrolled on each page.
        </li>
        <li>
          A cookie that says whether someone is signed in, but not who, so that the right menu appears
          immediately.
        </li>
        <li>A cookie that remembers whether you chose light or dark mode.</li>
      </ul>
    </>
  )
}

export function CardPayments({ demo, stripe }: PrivacyFacts) {
  return (
    <>
      <h2>Card payments</h2>
      <p>
        {`Your browser sends your card details, name and email${stripe ? ', and the country and postal code you enter,' : ''} directly to the payment provider${stripe ? ', Stripe' : ''}. The card details never pass through our shop. We send the provider the order number, a short description of what you ordered, the amount, your name and your email, and it tells us whether the payment succeeded.`}
      </p>
      {stripe && (
        <p>
          Stripe’s script loads when you open a payment page, not before. It stays loaded while you visit
          other pages of the shop, until you reload or close the tab. It may set Stripe’s own cookies, which
          Stripe uses to detect fraud.
        </p>
      )}
      <p>
        For each payment and refund, we keep the transaction ID, the amount and the time. For refunds, we also
        keep the reason and who made the refund. Your order page shows all of this except which member of our
        staff made the refund.
      </p>
      <p>
        For each paid order, we keep an invoice with your name, email, delivery address and what you bought,
        and a credit note for each refund. They stay as they were when we issued them.
      </p>
      {demo && (
        <p>
          This demo doesn’t take real payments. A built-in test bank replaces the payment provider. It accepts
          only published test cards and keeps the card’s brand and last four digits. Anyone can sign in here
          as an admin, so don’t enter real information.
        </p>
      )}
    </>
  )
}

export function joinNames(providers: SignInProvider[], word: 'and' | 'or') {
  return providers.map((provider) => providerNames[provider]).join(` ${word} `)
}
