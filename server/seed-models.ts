import { readFile } from 'node:fs/promises'
import { drawings, hotspots, partModels, type parts, type Queries } from '#db/schema.ts'
import { demoDrawing } from '#db/seed/drawings.ts'
import { demoParts, modelPath } from '#db/seed/parts.ts'
import { readGltf } from '#shop/models/check-model.server.ts'
import { countTriangles } from '#shop/models/model-problems.ts'
import { describeModelFile } from '#shop/models/models.server.ts'

type Row = Pick<typeof parts.$inferSelect, '_id' | 'partNumber'>

export async function seedModels(tx: Queries, rows: Row[]) {
  for (const { photo, partNumber } of demoParts) {
    const file = new Uint8Array(await readFile(modelPath(photo)))
    const triangles = Math.round(countTriangles(readGltf(file)))
    const uploadedAt = new Date().toISOString()
    await tx
      .insert(partModels)
      .values({ partId: findId(rows, partNumber), file, ...describeModelFile(file), triangles, uploadedAt })
  }
}

export async function seedDrawing(tx: Queries, rows: Row[], image: string) {
  const [drawing] = await tx
    .insert(drawings)
    .values({ title: demoDrawing.title, image, changedAt: new Date().toISOString() })
    .returning({ _id: drawings._id })
  const spots = demoDrawing.hotspots.map(({ partNumber, x, y, quantity }, i) => ({
    drawingId: drawing!._id,
    number: i + 1,
    partId: findId(rows, partNumber),
    x,
    y,
    quantity,
  }))
  await tx.insert(hotspots).values(spots)
}

function findId(rows: Row[], partNumber: string) {
  return rows.find((row) => row.partNumber === partNumber)!._id
}
