import { client } from '#app/client.ts'
import { type List, readList } from '#app/list.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { ListTable } from '#app/ui/list-table.tsx'
import { useAction } from '#app/ui/use-action.ts'
import { type User, userQuery } from '#shop/users/user.ts'

const columns = [
  { head: 'No' },
  { head: 'User', sort: 'email' },
  { head: 'Roll', sort: 'role' },
  { head: 'Action' },
]

const roles = [
  { value: '', label: 'Everybody' },
  { value: 'admin', label: 'Admins' },
  { value: 'customer', label: 'Customers' },
]

/** The caller has checked that the user is an admin. */
export function loadUsers({ request }: { request: Request }) {
  return readList(request, userQuery, (body) => client.listUsers({ body }))
}

export function MakeAdmin({ list }: { list: List<User> }) {
  return (
    <>
      <h1 className="mb-5">Make Admin</h1>
      <ListTable
        list={list}
        columns={columns}
        cells={(user, number) => [number, user.email, user.role, <Role key="role" user={user} />]}
        noun={['user', 'users']}
        searchPlaceholder="Name or email"
        filter={{ name: 'role', label: 'Roll', options: roles }}
        empty={<p>Nobody has registered yet.</p>}
      />
    </>
  )
}

function Role({ user: { email, role } }: { user: User }) {
  const { busy, run } = useAction()
  if (role !== 'admin') {
    return (
      <button
        type="button"
        className="btn btn-outline btn-sm"
        aria-disabled={busy}
        onClick={() =>
          run(`Successfully made ${email} an admin!`, () => client.makeAdmin({ params: { email } }), {
            403: `Failed to make ${email} an Admin!`,
          })
        }
      >
        Make Admin
      </button>
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-md:justify-end">
      <span>Already Admin</span>
      <ConfirmButton
        label="Remove Admin"
        busy={busy}
        question={`Shall ${email} be no admin any more?`}
        action="Remove Admin"
        onConfirm={() =>
          run(`Successfully removed ${email} as an admin!`, () => client.removeAdmin({ params: { email } }), {
            403: `Failed to remove ${email} as an Admin!`,
          })
        }
      />
    </div>
  )
}
