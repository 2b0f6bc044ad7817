import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { NamedRow } from '#app/ui/table/row-name.tsx'
import { type Customer, type CustomerLink, linkForm } from '#shop/customers/customer.ts'

/** Other accounts of the same person, which stay apart. */
export function CustomerLinks({ customer: { _id, links } }: { customer: Customer }) {
  const list = (
    <ul className="grid gap-2 empty:hidden">
      {links.map((link) => (
        <NamedRow key={link._id} name={link.email}>
          <Also id={_id} link={link} />
        </NamedRow>
      ))}
    </ul>
  )
  return (
    <section aria-labelledby="accounts" className="grid justify-items-start gap-2 text-sm">
      <h2 id="accounts" className="text-base">
        Other accounts
      </h2>
      {links.length > 2 ? (
        <details>
          <summary className="cursor-pointer">{`${links.length} accounts may be the same person`}</summary>
          <div className="mt-2">{list}</div>
        </details>
      ) : (
        list
      )}
      <DialogForm
        button={{ label: 'Link account', className: 'btn btn-sm' }}
        title="Link another account"
        intro={
          <p className="mb-4">
            For a person who has two accounts. Each keeps its own orders, addresses and messages, and each
            page leads to the other.
          </p>
        }
        schema={linkForm}
        initial={{ other: '' }}
        fields={[{ name: 'other', label: 'Email of the other account' }]}
        action="Link account"
        send={async ({ body }) => {
          await adminClient.linkCustomers({ params: { id: _id }, body })
          return 'Account linked'
        }}
      />
    </section>
  )
}

function Also({ id, link: { _id: other, name, email, reason } }: { id: string; link: CustomerLink }) {
  const { busy, run } = useAction()
  const verb = reason === 'linked' ? 'Unlink' : 'Another person'
  return (
    <li tabIndex={-1} className="flex flex-wrap items-center gap-x-3 gap-y-1 outline-offset-2">
      <p>
        {reason === 'linked' ? 'Also: ' : 'The same person? '}
        <Link to={`/dashboard/customers/${other}`} className="link wrap-anywhere">
          {name}
        </Link>
        <span className="text-base-content/75">{`, ${email}${reason === 'linked' ? '' : ` (${reason})`}`}</span>
      </p>
      <ConfirmButton
        label={verb}
        busy={busy}
        question={reason === 'linked' ? `Unlink ${email}?` : `Is ${email} another person?`}
        details={
          reason !== 'linked' && (
            <p className="mt-2">{`It has the ${reason}. We’ll no longer name it here.`}</p>
          )
        }
        action={verb}
        dismiss={reason === 'linked' ? 'Keep linked' : 'Keep it here'}
        onConfirm={() =>
          run('Account unlinked', () => adminClient.unlinkCustomers({ params: { id }, body: { other } }))
        }
      />
    </li>
  )
}
