import { adminClient } from '#app/admin/client.ts'
import { useWorklist, WorklistLine } from '#app/admin/orders/worklist-line.tsx'
import { useSession } from '#app/auth/session.ts'
import { type List, readList, withoutPage } from '#app/list.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { DateTime } from '#app/ui/date.tsx'
import { ListTable } from '#app/ui/table/list-table.tsx'
import { RowLink } from '#app/ui/table/row-name.tsx'
import type { Column } from '#app/ui/table/table.tsx'
import type { Invitation } from '#shop/users/invitation.ts'
import { type ListedUser, type User, userQuery } from '#shop/users/user.ts'
import { ExportButtons } from './export-buttons.tsx'
import { Invitations, InviteAdmin } from './invitations.tsx'
import { PageHeading } from './page-heading.tsx'

const columns: Column[] = [
  { head: 'No' },
  { head: 'User', sort: 'email', className: 'w-full' },
  { head: 'Roll', sort: 'role' },
  { head: 'Action', isEnd: true },
]

const roles = [
  { value: '', label: 'All users' },
  { value: 'admin', label: 'Admins' },
  { value: 'customer', label: 'Customers' },
]

const taxes = [
  { value: '', label: 'Any tax details' },
  { value: 'to check', label: 'Tax details to check' },
]

interface Users {
  list: List<ListedUser>
  invitations: Invitation[]
  /** All that are in use. */
  tags: string[]
}

export async function loadUsers({ request }: { request: Request }): Promise<Users> {
  const [list, invitations, tags] = await Promise.all([
    readList(request, userQuery, (body) => adminClient.listUsers({ body })),
    // The list is of use without them.
    adminClient.listInvitations().catch(() => []),
    adminClient.listCustomerTags().catch(() => []),
  ])
  return { list, invitations, tags }
}

export function MakeAdmin({ list, invitations, tags }: Users) {
  const worklist = useWorklist()
  const invited = new Set(invitations.map(({ email }) => email))
  const stateOf = ({ role, email, emailConfirmedAt }: User) => {
    if (role === 'admin') return null
    if (invited.has(email)) return 'Invited'
    return emailConfirmedAt === null ? 'Email not confirmed' : null
  }
  const hasTaxToCheck = list.query.tax !== undefined || (worklist?.taxToCheck ?? 0) > 0
  return (
    <>
      <PageHeading title="Make Admin">
        <InviteAdmin
          button={{ label: 'Invite by email', className: 'btn btn-sm' }}
          title="Invite an admin"
          intro="We email a link that works for 7 days. With an account of this address, the reader becomes an admin, who can see all orders and messages, edit parts, refund orders and make other users admins."
        />
        <ExportButtons
          download={(format, options) =>
            adminClient.exportUsers({ body: { ...withoutPage(list.query), format }, ...options })
          }
        />
      </PageHeading>
      <WorklistLine />
      <div className="two-lines users">
        <ListTable
          list={list}
          columns={columns}
          cells={(user, number) => [
            number,
            <Person key="user" user={user} state={stateOf(user)} />,
            <Role key="role" role={user.role} />,
            user.role === 'admin' ? (
              <Admin key="action" user={user} />
            ) : (
              <Customer key="action" user={user} state={stateOf(user)} />
            ),
          ]}
          rowName={({ email }) => email}
          noun={['user', 'users']}
          searchPlaceholder="Name or email"
          filters={[
            { name: 'role', label: 'Roll', options: roles },
            ...(tags.length > 0 ? [{ name: 'tag', label: 'Tag', options: tagOptions(tags) }] : []),
            ...(hasTaxToCheck ? [{ name: 'tax', label: 'Tax', options: taxes }] : []),
          ]}
          empty={<p>No users yet.</p>}
        />
      </div>
      <Invitations invitations={invitations} />
    </>
  )
}

function tagOptions(tags: string[]) {
  return [{ value: '', label: 'Any tag' }, ...tags.map((tag) => ({ value: tag, label: tag }))]
}

function Role({ role }: { role: User['role'] }) {
  const look =
    role === 'admin' ? 'rounded-full border border-primary px-2 text-primary' : 'text-base-content/75'
  return <span className={`text-sm whitespace-nowrap ${look}`}>{role}</span>
}

interface WithState {
  /** What keeps a customer from being an admin, or is on its way. */
  state: string | null
}

function Person({ user: { _id, email, name, tags }, state }: { user: ListedUser } & WithState) {
  const isSelf = useSession()?.email === email
  return (
    <div className="flex min-w-0 flex-col gap-x-4 gap-y-0.5 xl:flex-row xl:items-center">
      <p className="wrap-anywhere max-md:order-1 max-md:text-sm xl:min-w-60">{email}</p>
      <div className="flex min-w-0 items-baseline gap-x-3">
        <RowLink
          to={`/dashboard/customers/${_id}`}
          className="link truncate max-md:text-base max-md:font-semibold"
        >
          {name}
        </RowLink>
        {isSelf && <span className="shrink-0 text-sm text-base-content/75">You</span>}
      </div>
      {state && <p className="order-1 text-sm text-base-content/75 md:hidden">{state}</p>}
      {tags.length > 0 && (
        <ul aria-label="Tags" className="flex flex-wrap gap-1 max-md:order-2">
          {tags.map((tag) => (
            <li key={tag} className="rounded-full border border-base-content/40 px-2 text-sm">
              {tag}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Admin({ user: { name, email } }: { user: User }) {
  const { busy, run } = useAction()
  const isSelf = useSession()?.email === email
  return (
    <div className="flex items-center justify-end gap-x-2">
      <span className="whitespace-nowrap text-base-content/75 max-md:sr-only">Already Admin</span>
      <ConfirmButton
        label="Remove Admin"
        busy={busy}
        className={quiet}
        question={isSelf ? 'Remove your own admin access?' : `Remove admin access for ${name}, ${email}?`}
        details={isSelf && <OwnRemoval />}
        action="Remove Admin"
        onConfirm={() =>
          run(
            `Successfully removed ${email} as an admin!`,
            () => adminClient.removeAdmin({ params: { email } }),
            {
              403: `Failed to remove ${email} as an Admin!`,
            },
          )
        }
      />
    </div>
  )
}

const quiet = 'btn btn-ghost btn-sm whitespace-nowrap -mr-3'

function OwnRemoval() {
  return (
    <p className="mt-3">
      You will lose access to the admin screens at once, and only another admin can give it back. Your account
      and your orders stay.
    </p>
  )
}

function Customer({ user, state }: { user: User } & WithState) {
  const { name, email, emailConfirmedAt } = user
  const { busy, run } = useAction()
  return (
    <div className="flex items-center justify-end gap-x-4">
      {state && <span className="text-sm whitespace-nowrap text-base-content/75 max-md:hidden">{state}</span>}
      {emailConfirmedAt ? (
        <ConfirmButton
          label="Make Admin"
          busy={busy}
          className={quiet}
          question={`Make ${name} an admin?`}
          details={<AccountDetails user={user} confirmedAt={emailConfirmedAt} />}
          action="Make Admin"
          actionClassName="btn btn-primary"
          onConfirm={() =>
            run(`Successfully made ${email} an admin!`, () => adminClient.makeAdmin({ params: { email } }), {
              403: `Failed to make ${email} an Admin!`,
            })
          }
        />
      ) : (
        <InviteAdmin
          button={{ label: 'Make Admin', className: quiet }}
          title={`${name} can’t become an admin yet`}
          intro="Nobody has shown yet that this address is theirs. Anybody who can read its email can reset the password and take over the account, with all that admins can do. Send an invitation: the account becomes an admin once its owner has opened that link and confirmed the address."
          email={email}
        />
      )}
    </div>
  )
}

function AccountDetails({ user: { name, email }, confirmedAt }: { user: User; confirmedAt: string }) {
  return (
    <>
      <dl className="my-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 [&_dt]:text-base-content/75">
        <dt>Name</dt>
        <dd className="wrap-anywhere">{name}</dd>
        <dt>Email</dt>
        <dd className="wrap-anywhere">{email}</dd>
        <dt>Email confirmed</dt>
        <dd>
          <DateTime at={confirmedAt} />
        </dd>
      </dl>
      <p>Admins can see all orders and messages, edit parts, refund orders and make other users admins.</p>
    </>
  )
}
