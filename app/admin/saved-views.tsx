import { Link, useLocation } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { type SavedView, type ViewList, viewForm } from '#shop/views/saved-view.ts'

/** Without them, the list still works. */
export function readViews(list: ViewList): Promise<SavedView[]> {
  return adminClient.listViews({ body: { list } }).catch(() => [])
}

/** The admin’s own searches of a list, and a button that saves the current one. */
export function SavedViews({ list, views }: { list: ViewList; views: SavedView[] }) {
  const { pathname, search } = useLocation()
  const params = new URLSearchParams(search)
  params.delete('page')
  const query = params.toString()
  const current = views.find((view) => view.query === query)
  if (views.length === 0 && query === '') return null
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
      {views.length > 0 && (
        <nav aria-label="Saved views" className="flex flex-wrap gap-2">
          {views.map((view) => (
            <Link
              key={view._id}
              to={`${pathname}?${view.query}`}
              aria-current={view === current ? 'page' : undefined}
              className="badge badge-outline h-8 px-3 hover:bg-base-200 aria-[current=page]:border-primary aria-[current=page]:font-semibold"
            >
              {view.name}
            </Link>
          ))}
        </nav>
      )}
      {current ? (
        <RemoveView view={current} />
      ) : (
        query !== '' && <SaveView key={query} list={list} query={query} />
      )}
    </div>
  )
}

function RemoveView({ view: { _id: id, name } }: { view: SavedView }) {
  const { busy, run } = useAction()
  return (
    <ConfirmButton
      label="Remove view"
      busy={busy}
      className="link"
      question={`Remove the view ${name}?`}
      action="Remove view"
      dismiss="Keep view"
      onConfirm={() => run('View removed', () => adminClient.deleteView({ params: { id } }))}
    />
  )
}

const nameForm = viewForm.pick({ name: true })

function SaveView({ list, query }: { list: ViewList; query: string }) {
  return (
    <DialogForm
      button={{ label: 'Save this view', className: 'link' }}
      title="Save view"
      schema={nameForm}
      initial={{ name: '' }}
      fields={[
        {
          name: 'name',
          label: 'Name',
          maxLength: 40,
          hint: 'Only you see it. A view of the same name is replaced.',
        },
      ]}
      action="Save view"
      send={async ({ body: { name } }) => {
        await adminClient.saveView({ body: { list, name, query } })
        return 'View saved'
      }}
    />
  )
}
