import * as drawings from '#shop/drawings/drawings.server.ts'
import * as models from '#shop/models/models.server.ts'
import * as partDocuments from '#shop/part-documents/part-documents.server.ts'
import type { Shop } from '#shop/ports.ts'
import * as sheets from '#shop/sheets/sheets.server.ts'
import type { api } from './contract.ts'
import type { Handlers } from './server.ts'

// biome-ignore format: a table
export const partFileHandlers = (shop: Shop) => ({
  uploadModel:   ({ user, body }) => models.uploadModel(shop, user, body),
  readModel:     ({ params }) => models.readModel(shop, params.partId),
  deleteModel:   ({ user, params }) => models.deleteModel(shop, user, params.partId),
  listDrawings:  () => drawings.listDrawings(shop),
  readDrawing:   ({ params }) => drawings.readDrawing(shop, params.id),
  addDrawing:    ({ user, body, key }) => drawings.addDrawing(shop, user, body, key),
  updateDrawing: ({ user, params, body }) => drawings.updateDrawing(shop, user, params.id, body),
  deleteDrawing: ({ user, params }) => drawings.deleteDrawing(shop, user, params.id),
  readSheet:     ({ params, body }) => sheets.readSheet(shop, params.partId, body.revision),
  downloadSheet: ({ params }) => sheets.downloadSheet(shop, params.partId, params.revision),
  listPartDocuments: ({ params }) => partDocuments.listPartDocuments(shop, params.partId),
  addPartDocument: ({ user, body }) => partDocuments.addPartDocument(shop, user, body),
  deletePartDocument: ({ user, params }) => partDocuments.deletePartDocument(shop, user, params.partId, params.id),
  downloadPartDocument: ({ params }) => partDocuments.downloadPartDocument(shop, params.partId, params.id),
}) satisfies Partial<Handlers<typeof api>>
