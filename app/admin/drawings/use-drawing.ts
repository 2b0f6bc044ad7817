import { useRef, useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { randomId } from '#app/browser/random-id.ts'
import { ApiError } from '#app/client.ts'
import { rememberPage } from '#app/ui/behaviour/same-page.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { sendPicture } from '#app/upload.ts'
import type { Drawing } from '#shop/drawings/drawing.ts'
import type { Fields } from '#shop/errors.ts'

export interface EditedSpot {
  key: string
  partNumber: string
  quantity: string
  x: number
  y: number
}

export function useDrawing(drawing: Drawing | null) {
  const [title, setTitle] = useState(drawing?.title ?? '')
  const [image, setImage] = useState(drawing?.image ?? '')
  const [spots, setSpots] = useState<EditedSpot[]>(() => (drawing?.hotspots ?? []).map(toEdited))
  const [busy, setBusy] = useState<'uploading' | 'saving' | null>(null)
  const [problem, setProblem] = useState<{ message: string; fields: Fields }>()
  const key = useRef(randomId())
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()

  async function run(work: NonNullable<typeof busy>, task: () => Promise<void>) {
    if (busy) return
    setBusy(work)
    setProblem(undefined)
    try {
      await task()
    } catch (error) {
      const { message } = error as Error
      setProblem({ message, fields: error instanceof ApiError ? (error.fields ?? {}) : {} })
    } finally {
      setBusy(null)
    }
  }

  async function send() {
    const isHere = rememberPage()
    const body = {
      title,
      image,
      hotspots: spots.map(({ partNumber, quantity, x, y }) => ({ partNumber, quantity, x, y })),
    }
    if (drawing) {
      await adminClient.updateDrawing({
        params: { id: drawing._id },
        body: { ...body, revision: drawing.revision },
      })
      showToast('Drawing saved')
      return revalidate()
    }
    const { insertedId } = await adminClient.addDrawing({ body, key: key.current })
    if (isHere()) await navigate(`/dashboard/drawings/${insertedId}`, { replace: true })
    showToast('Drawing added')
  }

  return {
    title,
    setTitle,
    image,
    spots,
    busy,
    message: problem?.message,
    errorOf: (name: string) => problem?.fields[name]?.[0],
    upload: (file: File) =>
      run('uploading', async () => {
        setImage(await sendPicture(file, { onProgress: () => {}, signal: new AbortController().signal }))
      }),
    save: () => run('saving', send),
    addSpot(x: number, y: number) {
      const spot = { key: randomId(), partNumber: '', quantity: '1', x, y }
      setSpots([...spots, spot])
      return spot.key
    },
    changeSpot(changed: string, change: Partial<EditedSpot>) {
      setSpots((before) => before.map((spot) => (spot.key === changed ? { ...spot, ...change } : spot)))
    },
    removeSpot(removed: string) {
      setSpots(spots.filter(({ key: one }) => one !== removed))
    },
    /** One place up or down. */
    moveSpot(moved: string, by: 1 | -1) {
      const from = spots.findIndex(({ key: one }) => one === moved)
      setSpots(spots.toSpliced(from, 1).toSpliced(from + by, 0, spots[from]!))
    },
  }
}

function toEdited({ partNumber, quantity, x, y }: Drawing['hotspots'][number]): EditedSpot {
  return { key: randomId(), partNumber, quantity: String(quantity), x, y }
}
