import { useState } from 'react'
import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { PageHeading } from '#app/admin/page-heading.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { readList } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { ListTable } from '#app/ui/table/list-table.tsx'
import { useRowLabel } from '#app/ui/table/row-name.tsx'
import type { Column } from '#app/ui/table/table.tsx'
import { type Synonym, synonymQuery } from '#shop/search/synonym.ts'
import type { Route } from './+types/synonyms'
import { SynonymEditor } from './synonym-editor.tsx'

const columns: Column[] = [
  { head: 'Customers type', sort: 'phrase' },
  { head: 'We search for' },
  { head: 'Action', isEnd: true },
]

export const meta = () => noindex('Synonyms')

/** With `?phrase`, the form is filled in with it. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const phrase = new URL(request.url).searchParams.get('phrase') ?? ''
  return { phrase, list: await readList(request, synonymQuery, (body) => adminClient.listSynonyms({ body })) }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function Synonyms({ loaderData: { phrase, list } }: Route.ComponentProps) {
  const [edited, setEdited] = useState<Synonym | null>(null)
  return (
    <>
      <PageHeading title="Synonyms">
        <Link to="/dashboard/searches" className="btn btn-sm">
          Searches without results
        </Link>
      </PageHeading>
      <p className="mb-6 max-w-prose">
        What customers call parts, and what we search for instead, in the catalogue and in all lists of parts.
      </p>
      <SynonymEditor
        key={edited?._id ?? phrase}
        synonym={edited}
        phrase={phrase}
        onDone={() => setEdited(null)}
      />
      <ListTable
        list={list}
        columns={columns}
        cells={(synonym) => [
          <span key="phrase" className="font-medium wrap-anywhere">
            {synonym.phrase}
          </span>,
          <span key="terms" className="wrap-anywhere">
            {synonym.terms}
          </span>,
          <Actions key="actions" synonym={synonym} onEdit={() => setEdited(synonym)} />,
        ]}
        rowName={({ phrase }) => phrase}
        noun={['synonym', 'synonyms']}
        searchPlaceholder="Word"
        empty={<p>No synonyms yet.</p>}
      />
    </>
  )
}

function Actions({ synonym: { _id, phrase }, onEdit }: { synonym: Synonym; onEdit: () => void }) {
  const { busy, run } = useAction()
  return (
    <div className="flex flex-wrap gap-2">
      <button type="button" className="btn btn-sm" aria-label={useRowLabel('Edit')} onClick={onEdit}>
        Edit
      </button>
      <ConfirmButton
        label="Delete"
        busy={busy}
        question={`Delete the synonym “${phrase}”?`}
        action="Delete synonym"
        dismiss="Keep synonym"
        onConfirm={() => run('Synonym deleted', () => adminClient.deleteSynonym({ params: { id: _id } }))}
      />
    </div>
  )
}
