import { adminClient } from '#app/admin/client.ts'
import { PageHeading } from '#app/admin/page-heading.tsx'
import { LastChanged } from '#app/admin/settings/last-changed.tsx'
import { LeaveDialog } from '#app/admin/settings/leave-dialog.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { noindex } from '#app/meta.ts'
import { FormError } from '#app/ui/form-error.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import type { StoredSettings } from '#shop/settings/settings.ts'
import type { Route } from './+types/charges-page'
import type { ChargesInput } from './charges-input.ts'
import { CheckAddress } from './check-address.tsx'
import { CollectionSection } from './collection-section.tsx'
import { ExampleButtons } from './example-buttons.tsx'
import { TaxSection } from './tax-section.tsx'
import { useChargesForm } from './use-charges-form.ts'
import { ZonesSection } from './zones-section.tsx'

export const meta = () => noindex('Delivery and tax')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const { company, deliveryAndTax } = await adminClient.readSettings()
  return { homeCountry: company.value.country, stored: deliveryAndTax }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function ChargesPage({ loaderData: { homeCountry, stored } }: Route.ComponentProps) {
  const { form, input, errors, message, busy, isDirty, isDecided, change, submit, onBlur, discard } =
    useChargesForm(stored)
  const { zones, collection, mode, rates, note } = input
  return (
    <div className="max-w-3xl">
      <PageHeading title="Delivery and tax">{null}</PageHeading>
      <LeaveDialog section="deliveryAndTax" isUnsaved={isDirty} />
      <Intro stored={stored} isDecided={isDecided} />
      <ExampleButtons homeCountry={homeCountry} onChoose={change} />
      <form
        ref={form}
        method="post"
        noValidate
        tabIndex={-1}
        className="outline-none"
        onSubmit={submit}
        onBlur={onBlur}
      >
        <ZonesSection zones={zones} mode={mode} homeCountry={homeCountry} errors={errors} onChange={change} />
        <CollectionSection
          collection={collection}
          homeCountry={homeCountry}
          errors={errors}
          onChange={change}
        />
        <TaxSection
          mode={mode}
          rates={rates}
          note={note}
          homeCountry={homeCountry}
          errors={errors}
          onChange={change}
        />
        <Rules mode={mode} />
        <FormError message={message} />
        <div className="flex flex-wrap gap-3">
          <SubmitButton busy={busy} disabled={!isDirty && isDecided} className="w-full sm:w-auto">
            Save delivery and tax
          </SubmitButton>
          {isDirty && (
            <button type="button" className="btn" onClick={discard}>
              Discard changes
            </button>
          )}
        </div>
      </form>
      <CheckAddress homeCountry={homeCountry} isDirty={isDirty} />
    </div>
  )
}

interface IntroProps {
  stored: StoredSettings['deliveryAndTax']
  isDecided: boolean
}

function Intro({ stored, isDecided }: IntroProps) {
  return (
    <p className="mb-6 text-base-content/75">
      {
        'What customers pay besides the price of the parts. Orders that are placed keep what they were charged. '
      }
      {!isDecided &&
        'Nobody has saved this yet: delivery is free everywhere, and no tax is charged. If that’s right, save it as it is.'}
      <LastChanged section="deliveryAndTax" stored={stored} />
    </p>
  )
}

const ownRules = [
  'Tax is worked out once for each rate of an order, and rounded to a cent there.',
  'Delivery is taxed as the goods are: if half of them have a rate, half of the delivery has it, too.',
  'If prices are shown with tax and no tax is due, such as abroad, the customer pays the price without your own country’s tax.',
]

const stripeRules = [
  'Stripe works out the tax of goods and delivery by the country, region and postcode of the address. It charges tax where your Stripe account is registered: add your registrations and your address in Stripe’s Dashboard.',
  'Parts of the tax class Standard are general goods, and parts of the class Zero aren’t taxed. The class Reduced has the default tax code of your Stripe account.',
  'While Stripe can’t be reached, nobody can order.',
  'Invoices and credit notes are in Stripe’s tax reports within a few minutes.',
]

function Rules({ mode }: { mode: ChargesInput['mode'] }) {
  return (
    <section aria-labelledby="rules" className="mb-8">
      <h2 id="rules" className="mb-2 text-xl">
        How it’s worked out
      </h2>
      <ul className="list-disc space-y-1 pl-5">
        <li>Free delivery counts goods after price breaks, before tax and delivery.</li>
        {(mode === 'stripe' ? stripeRules : ownRules).map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
    </section>
  )
}
