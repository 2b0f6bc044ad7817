import { formatDate } from '#shop/dates.ts'
import type { DocumentColumn, DocumentLayout } from '#shop/documents/layout.ts'
import type { Shop } from '#shop/ports.ts'
import type { Sheet } from './sheet.ts'

/** What the page and the PDF of a specification sheet show; the shop’s name and address are today’s. */
export function layoutSheet(
  { origin, timeZone, settings }: Pick<Shop, 'origin' | 'timeZone' | 'settings'>,
  { partId, revision, issuedAt, content, revisions }: Sheet,
): DocumentLayout {
  const { name, address, phone, email } = settings.current.company
  const day = formatDate(issuedAt, timeZone)
  const latest = revisions[0]!.revision
  const rows = listRows(content)
  const hasSources = rows.some(([, , source]) => source !== '')
  return {
    title: 'Specification sheet',
    number: content.partNumber,
    fileName: `specification-sheet-${content.partNumber.replace(/[^\w-]/g, '-')}-revision-${revision}`,
    issuedAt,
    notice: revision < latest ? `Revision ${latest} has replaced this sheet.` : null,
    seller: [name, address, phone, email],
    deliverTo: [content.name, content.shortDescription],
    deliverToLabel: 'Part',
    facts: [['Revision', `${revision}`], ['Date', day], ...content.facts],
    columns: hasSources ? columns : columns.slice(0, 2).map((column) => ({ ...column, share: 0.5 })),
    rows: hasSources ? rows : rows.map((row) => row.slice(0, 2)),
    totals: [],
    notes: [`This revision: ${origin}/parts/${partId}/sheets/${revision}`],
  }
}

const columns: DocumentColumn[] = [
  { label: 'Specification', kind: 'text', share: 0.28 },
  { label: 'Value', kind: 'text', share: 0.44, main: true },
  { label: 'Source', kind: 'text', share: 0.28, minor: true },
]

const roles = { has: 'Has', needs: 'Needs' }

function listRows({ specifications, interfaces }: Sheet['content']) {
  return [
    ...specifications.map(({ name, value, source }) => [name, value, source]),
    ...interfaces.map(({ role, text, source }) => [roles[role], text, source]),
  ]
}
