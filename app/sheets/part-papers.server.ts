import { formatBytes } from '#app/ui/format-bytes.ts'
import { documentKindNames } from '#shop/part-documents/part-document.ts'
import { listPartDocuments } from '#shop/part-documents/part-documents.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { PartPaper } from './part-papers.tsx'

/** Written on the server, so that browsers need no script for it. */
export async function loadPartPapers(shop: Pick<Shop, 'db'>, partId: string): Promise<PartPaper[]> {
  const documents = await listPartDocuments(shop, partId)
  return documents.map(({ _id, kind, title, size }) => ({
    href: `/api/part/${partId}/documents/${_id}`,
    label: `${documentKindNames[kind]}: ${title} (PDF, ${formatBytes(size)})`,
  }))
}
