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
  const hasTaxToCheck = list.query.tax !== undefined || (worklist?.taxToCheck ?? 0) > 0
  return (
    <>
      <PageHeading title="Make Admin">
        <InviteAdmin />
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
            <Person key="user" user={user} />,
            <Role key="role" role={user.role} />,
            user.role === 'admin' ? (
              <Admin key="action" user={user} />
            ) : (
              <Customer key="action" user={user} />
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

function Person({ user: { _id, email, name, emailConfirmedAt, tags } }: { user: ListedUser }) {
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
        {emailConfirmedAt === null && (
          <span className="shrink-0 text-sm text-base-content/75">
            <span className="max-md:sr-only">Email </span>not confirmed
          </span>
        )}
      </div>
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

function Admin({ user: { email } }: { user: User }) {
  const { busy, run } = useAction()
  const isSelf = useSession()?.email === email
  return (
    <div className="flex items-center justify-end gap-x-2">
      <span className="whitespace-nowrap text-base-content/75 max-md:sr-only">Already Admin</span>
      <ConfirmButton
        label="Remove Admin"
        busy={busy}
        className={quiet}
        question={isSelf ? 'Remove your own admin access?' : `Remove admin access for ${email}?`}
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

function Customer({ user }: { user: User }) {
  const { name, email, emailConfirmedAt } = user
  const { busy, run } = useAction()
  return (
    <ConfirmButton
      label="Make Admin"
      busy={busy}
      className={quiet}
      question={emailConfirmedAt ? `Make ${name} an admin?` : `${name} can’t become an admin yet`}
      details={<AccountDetails user={user} />}
      action={emailConfirmedAt ? 'Make Admin' : undefined}
      actionClassName="btn btn-primary"
      dismiss={emailConfirmedAt ? 'Cancel' : 'Close'}
      onConfirm={() =>
        run(`Successfully made ${email} an admin!`, () => adminClient.makeAdmin({ params: { email } }), {
          403: `Failed to make ${email} an Admin!`,
        })
      }
    />
  )
}

function AccountDetails({ user: { name, email, emailConfirmedAt } }: { user: User }) {
  return (
    <>
      <dl className="my-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 [&_dt]:text-base-content/75">
        <dt>Name</dt>
        <dd className="wrap-anywhere">{name}</dd>
        <dt>Email</dt>
        <dd className="wrap-anywhere">{email}</dd>
        <dt>Email confirmed</dt>
        <dd>{emailConfirmedAt ? <DateTime at={emailConfirmedAt} /> : 'Not yet'}</dd>
      </dl>
      {emailConfirmedAt ? (
        <p>Admins can see all orders and messages, edit parts, refund orders and make other users admins.</p>
      ) : (
        <>
          <p>
            Nobody has shown yet that this address is theirs. Anybody who can read its email can reset the
            password and take over the account, with all that admins can do.
          </p>
          <p className="mt-3">
            Ask this user to open the link we emailed, or to request a new one in My Profile. You can also
            invite the address by email.
          </p>
        </>
      )}
    </>
  )
}
