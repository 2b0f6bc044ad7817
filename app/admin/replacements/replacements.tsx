import { adminClient } from '#app/admin/client.ts'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { nullIfMissing } from '#app/client.ts'
import { readList } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { ListTable } from '#app/ui/table/list-table.tsx'
import { RowLink } from '#app/ui/table/row-name.tsx'
import type { Column } from '#app/ui/table/table.tsx'
import { formatDay } from '#shop/dates.ts'
import { type Replacement, replacementQuery } from '#shop/replacements/replacement.ts'
import type { Route } from './+types/replacements'
import { ReplacePart } from './replace-part.tsx'

const columns: Column[] = [
  { head: 'Part' },
  { head: 'Replaced by' },
  { head: 'From', kind: 'date', sort: 'startsOn' },
  { head: 'How' },
  { head: 'Action', isEnd: true },
]

export const meta = () => noindex('Replacements')

/** With `?part`, the form is for that one. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const id = new URL(request.url).searchParams.get('part')
  const [list, part] = await Promise.all([
    readList(request, replacementQuery, (body) => adminClient.listReplacements({ body })),
    id ? adminClient.readProduct({ params: { id } }).catch(nullIfMissing) : null,
  ])
  return { list, part }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function Replacements({ loaderData: { list, part } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-3">Replacements</h1>
      <p className="mb-6 max-w-prose">
        From its day on, a part that is replaced is no longer sold. Its page, number, and every basket, list
        and order with it lead customers to the new part.
      </p>
      <ReplacePart key={part?._id} part={part} />
      <ListTable
        list={list}
        columns={columns}
        cells={cells}
        rowName={({ partNumber, by }) => `${partNumber} by ${by.partNumber}`}
        noun={['replacement', 'replacements']}
        searchPlaceholder="Part number or name"
        empty={<p>No replacements yet.</p>}
      />
    </>
  )
}

function cells(row: Replacement) {
  const { partId, partNumber, name, by, startsOn, started, kind, note } = row
  return [
    <NamedPart key="part" partId={partId} partNumber={partNumber} name={name} />,
    <NamedPart key="by" {...by} />,
    <div key="from">
      <p className="whitespace-nowrap">{formatDay(startsOn)}</p>
      <p className="text-sm text-base-content/75">{started ? 'No longer sold' : 'Planned'}</p>
    </div>,
    <div key="how">
      <p>{kind === 'direct' ? 'Direct' : 'With changes'}</p>
      <p className="text-sm text-base-content/75 wrap-anywhere">{note}</p>
    </div>,
    <Remove key="remove" row={row} />,
  ]
}

function NamedPart({ partId, partNumber, name }: Replacement['by']) {
  return (
    <div>
      <RowLink to={`/parts/${partId}`} className="link font-medium">
        {partNumber}
      </RowLink>
      <p className="text-sm text-base-content/75 wrap-anywhere">{name}</p>
    </div>
  )
}

function Remove({ row: { partId, partNumber, started } }: { row: Replacement }) {
  const { busy, run } = useAction()
  return (
    <ConfirmButton
      label="Remove"
      busy={busy}
      question={`Remove the replacement of ${partNumber}?`}
      details={started && <p className="mt-2">{`${partNumber} is sold again.`}</p>}
      action="Remove replacement"
      dismiss="Keep replacement"
      onConfirm={() =>
        run(`Replacement of ${partNumber} removed`, () =>
          adminClient.removeReplacement({ params: { partId } }),
        )
      }
    />
  )
}
