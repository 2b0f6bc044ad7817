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
      <h2>Delivery addresses</h2>
      <p className="mt-1 mb-4 text-base-content/75">
        {addresses.length === 0
          ? 'No delivery addresses yet. Add one, or place an order: we’ll save its address here.'
          : 'Choose one of these when you order.'}
      </p>
      <ul className="grid gap-4 empty:hidden sm:grid-cols-2 xl:grid-cols-3">
        {addresses.map((address) => (
          <NamedRow key={address._id} name={nameAddress(address, session.name)}>
            <Card
              address={address}
              email={email}
              accountName={session.name}
              onEdit={() => setEdited({ address })}
            />
          </NamedRow>
        ))}
      </ul>
      {isFull ? (
        <p className="mt-4">{`You’ve saved ${maxAddresses} delivery addresses. Delete one to add another.`}</p>
      ) : (
        <button type="button" className="btn btn-outline btn-sm mt-4" onClick={() => setEdited({})}>
          Add address
        </button>
      )}
      {edited && <AddressDialog {...edited} email={email} accountName={session.name} onClose={close} />}
    </div>
  )
}

function nameAddress({ recipient, company, address, town }: SavedAddress, accountName: string) {
  return [company || recipient || accountName, ...address.split('\n'), town].filter(Boolean).join(', ')
}

interface CardProps {
  address: SavedAddress
  email: string
  accountName: string
  onEdit: () => void
}

function Card({ address: saved, email, accountName, onEdit }: CardProps) {
  const { _id: id, recipient, company, address, phoneNumber, isDefault } = saved
  const destination = listDestination(saved, useCompany().country)
  const { busy, run } = useAction()
  const params = { email, id }
  return (
    <li tabIndex={-1} className="flex flex-col rounded-box border border-base-300 p-4 outline-offset-2">
      <div className="mb-4">
        <p className="flex flex-wrap items-center justify-between gap-x-3 font-semibold">
          {recipient || accountName}
          {isDefault && (
            <span className="rounded-box border border-base-content/40 px-2 text-sm font-normal">
              Default
            </span>
          )}
        </p>
        <p className="empty:hidden">{company}</p>
        <p className="whitespace-pre-line">{[address, ...destination].join('\n')}</p>
        <p className="text-base-content/75">{phoneNumber}</p>
      </div>
      <div className="mt-auto flex flex-wrap gap-2">
        <ArmedButton className="btn btn-sm" late={false} onClick={onEdit}>
          Edit
        </ArmedButton>
        {!isDefault && (
          <ArmedButton
            className="btn btn-sm"
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
