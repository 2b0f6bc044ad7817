import { ConfirmEmailNotice } from '#app/account/confirm-email-notice.tsx'
import { MyTax } from '#app/account/tax/my-tax.tsx'
import { MyAddresses } from '#app/addresses/my-addresses.tsx'
import { requireSignedIn } from '#app/auth/guards.ts'
import { useSession } from '#app/auth/session.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { useCompany } from '#app/company.ts'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import type { SavedAddress } from '#shop/addresses/address.ts'
import { listDestination } from '#shop/addresses/destination.ts'
import type { Route } from './+types/my-profile'
import { MyPassword } from './my-password.tsx'
import { EditProfile } from './profile-form.tsx'

export const meta = () => noindex('My Profile')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { email } = requireSignedIn(request)
  const params = { email }
  const [profile, addresses, taxStatus] = await Promise.all([
    client.readProfile({ params }),
    client.listAddresses({ params }),
    client.readTaxStatus({ params }),
  ])
  const contact = profile.education === null ? await readContact(email, addresses) : undefined
  return { profile, addresses, taxStatus, contact }
}

/** Where somebody who never saved a profile had an order sent. */
async function readContact(email: string, addresses: SavedAddress[]) {
  const address = addresses.find(({ isDefault }) => isDefault)
  if (address) return { ...address, source: 'delivery address' }
  // Without it, the fields are empty.
  const { rows } = await client.listMyOrders({ body: { email, limit: 1 } }).catch(() => ({ rows: [] }))
  return rows[0] && { ...rows[0], source: 'last order' }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function MyProfile({ loaderData }: Route.ComponentProps) {
  const { profile, addresses, taxStatus, contact } = loaderData
  const session = useSession()
  const { country } = useCompany()
  if (!session) return null
  const known = contact && {
    address: [contact.address, ...listDestination(contact, country)].join(', '),
    phoneNumber: contact.phoneNumber,
    source: contact.source,
  }
  return (
    <div key={profile.email} className="max-w-5xl">
      <h1 className="mb-6">My Profile</h1>
      {profile.emailConfirmedAt === null && <ConfirmEmailNotice email={profile.email} />}
      <EditProfile
        session={session}
        profile={profile}
        known={known}
        first={<MyAddresses session={session} email={profile.email} addresses={addresses} />}
      >
        <MyTax email={profile.email} status={taxStatus} />
        {profile.emailConfirmedAt !== null && <MyPassword email={profile.email} />}
      </EditProfile>
    </div>
  )
}
