import { adminClient } from '#app/admin/client.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { DateTime } from '#app/ui/date.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { NamedRow } from '#app/ui/table/row-name.tsx'
import { type Invitation, invitationForm } from '#shop/users/invitation.ts'

interface InviteProps {
  button: { label: string; className: string }
  title: string
  intro: string
  email?: string
}

export function InviteAdmin({ button, title, intro, email = '' }: InviteProps) {
  return (
    <DialogForm
      button={button}
      title={title}
      intro={<p className="mb-4">{intro}</p>}
      schema={invitationForm}
      initial={{ email }}
      fields={[{ name: 'email', label: 'Email' }]}
      action="Send invitation"
      send={async ({ body }) => {
        await adminClient.inviteAdmin({ body })
        return `Invitation sent to ${body.email}`
      }}
    />
  )
}

/** Those that can still be accepted. */
export function Invitations({ invitations }: { invitations: Invitation[] }) {
  if (invitations.length === 0) return null
  return (
    <section id="invitations" aria-labelledby="invitations-heading" className="mt-10 max-w-3xl">
      <h2 id="invitations-heading" className="text-base">
        Open invitations
      </h2>
      <ul className="mt-2 divide-y divide-base-300 border-y border-base-300">
        {invitations.map((invitation) => (
          <NamedRow key={invitation._id} name={invitation.email}>
            <Item invitation={invitation} />
          </NamedRow>
        ))}
      </ul>
    </section>
  )
}

function Item({ invitation: { _id, email, by, expiresAt } }: { invitation: Invitation }) {
  const { busy, run } = useAction()
  return (
    <li
      tabIndex={-1}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-2 outline-offset-2"
    >
      <div>
        <p className="font-medium wrap-anywhere">{email}</p>
        <p className="text-sm text-base-content/75">
          {`Invited by ${by}, until `}
          <DateTime at={expiresAt} />
        </p>
      </div>
      <ConfirmButton
        label="Withdraw"
        busy={busy}
        question={`Withdraw the invitation of ${email}?`}
        details={<p className="mt-2">The link in the email stops working. You can invite them again.</p>}
        action="Withdraw invitation"
        dismiss="Keep invitation"
        onConfirm={() =>
          run(`Invitation of ${email} withdrawn`, () =>
            adminClient.withdrawInvitation({ params: { id: _id } }),
          )
        }
      />
    </li>
  )
}
