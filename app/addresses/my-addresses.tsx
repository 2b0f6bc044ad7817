import { useRef, useState } from 'react'
import { readSession, type Session } from '#app/auth/session.ts'
import { client } from '#app/client.ts'
import { useCompany } from '#app/company.ts'
import { forgetSent } from '#app/drafts.ts'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { NamedRow } from '#app/ui/table/row-name.tsx'
import { maxAddresses, type SavedAddress } from '#shop/addresses/address.ts'
import { listDestination } from '#shop/addresses/destination.ts'
import { AddressDialog, newAddressDraft } from './address-dialog.tsx'

interface Props {
  session: Session
  /** Whose addresses they are. */
  email: string
  addresses: SavedAddress[]
}

export function MyAddresses({ session, email, addresses }: Props) {
  const [edited, setEdited] = useState<{ address?: SavedAddress }>()
  const list = useRef<HTMLDivElement>(null)
  const isFull = addresses.length >= maxAddresses

  function close() {
    setEdited(undefined)
    // The button that opened the dialog may be gone.
    if (document.activeElement === document.body) list.current?.focus()
  }

  return (
    <div ref={list} tabIndex={-1} className="outline-none">
      <div className="flex items-center justify-between gap-x-2">
        <h2>Delivery addresses</h2>
        {!isFull && (
          <button type="button" className="btn btn-outline btn-sm" onClick={() => setEdited({})}>
            Add address
          </button>
        )}
      </div>
      <p className="mt-1 text-base-content/75">{describeList(addresses.length)}</p>
      <ul className="mt-3 border-t border-base-300 empty:hidden">
        {addresses.map((address) => (
          <NamedRow key={address._id} name={nameAddress(address, session.name)}>
            <Row
              address={address}
              email={email}
              accountName={session.name}
              onEdit={() => setEdited({ address })}
            />
          </NamedRow>
        ))}
      </ul>
      {edited && <AddressDialog {...edited} email={email} accountName={session.name} onClose={close} />}
    </div>
  )
}

function describeList(count: number) {
  if (count === 0)
    return 'No delivery addresses yet. Add one, or place an order: we’ll save its address here.'
  if (count < maxAddresses) return 'Choose one of these when you order.'
  return `You’ve saved ${maxAddresses} delivery addresses. Delete one to add another.`
}

function nameAddress({ recipient, company, address, town }: SavedAddress, accountName: string) {
  return [company || recipient || accountName, ...address.split('\n'), town].filter(Boolean).join(', ')
}

interface RowProps {
  address: SavedAddress
  email: string
  accountName: string
  onEdit: () => void
}

function Row({ address: saved, email, accountName, onEdit }: RowProps) {
  const { _id: id, recipient, company, address, phoneNumber, isDefault } = saved
  const destination = listDestination(saved, useCompany().country)
  const { busy, run } = useAction()
  const params = { email, id }
  return (
    <li
      tabIndex={-1}
      className="grid items-center gap-x-4 gap-y-1 border-b border-base-300 py-2.5 text-sm outline-offset-2 sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <div className="wrap-anywhere">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-semibold">{recipient || accountName}</span>
          <span className="empty:hidden">{company}</span>
          {isDefault && (
            <span className="rounded-box border border-base-content/40 px-1.5 text-xs">Default</span>
          )}
        </p>
        <p className="text-base-content/75">
          {[...address.split('\n'), ...destination, phoneNumber].join(', ')}
        </p>
      </div>
      <div className="-mx-3 flex flex-wrap">
        <ArmedButton className="btn btn-ghost btn-sm" late={false} onClick={onEdit}>
          Edit
        </ArmedButton>
        {!isDefault && (
          <ArmedButton
            className="btn btn-ghost btn-sm"
            busy={busy}
            late={false}
            onClick={() =>
              run('Default address changed', () => {
                checkAccount(email)
                return client.setDefaultAddress({ params })
              })
            }
          >
            Make default
          </ArmedButton>
        )}
        <ConfirmButton
          label="Delete"
          className="btn btn-ghost btn-sm"
          busy={busy}
          late={false}
          question={`Delete “${[company || recipient, address, saved.town].filter(Boolean).join(', ')}”?`}
          details={<p className="mt-2">Orders that go there stay as they are.</p>}
          action="Delete address"
          dismiss="Keep address"
          onConfirm={() =>
            run('Delivery address deleted', async () => {
              checkAccount(email)
              await client.deleteAddress({ params })
              // Added again, it is not a retry.
              forgetSent(newAddressDraft)
            })
          }
        />
      </div>
    </li>
  )
}

/** Another tab may have signed in somebody else. */
export function checkAccount(email: string) {
  if (readSession()?.email !== email)
    throw new Error('You’re now signed in to another account. Check its addresses, then try again.')
}
