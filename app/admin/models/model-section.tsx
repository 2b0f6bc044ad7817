import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { readBase64 } from '#app/browser/read-base64.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { Field } from '#app/ui/field.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { formatDay } from '#shop/dates.ts'
import { largeModel, maxModelBytes, type PartModel } from '#shop/models/model.ts'
import { formatCount } from '#shop/money.ts'

interface Props {
  part: { _id: string; name: string }
  model: PartModel | null
}

/** Saved at once, apart from the product's form. */
export function ModelSection({ part, model }: Props) {
  const { busy, message, choose, upload, form } = useUpload(part._id)
  return (
    <section aria-labelledby="model" className="mt-10 max-w-3xl border-t border-base-300 pt-6">
      <h2 id="model" className="mb-2">
        Model to turn
      </h2>
      <p className="mb-4 text-base-content/75">
        Customers can turn it on the part’s page. A glTF 2.0 file (.glb) with everything inside, of at most 10
        MB and without compression.
      </p>
      {model && <StoredModel part={part} model={model} />}
      <form ref={form} method="post" className="max-w-md" onSubmit={upload}>
        <Field
          label={model ? 'Another model' : 'Model file'}
          type="file"
          accept=".glb,model/gltf-binary"
          optional
          disabled={busy}
          error={message}
          onChange={(event) => choose(event.target.files?.[0])}
          className="file-input w-full"
        />
        {busy && (
          <p role="status" className="mb-4">
            Uploading and checking the model…
          </p>
        )}
        <SubmitButton busy={busy} className="">
          {model ? 'Replace model' : 'Upload model'}
        </SubmitButton>
      </form>
    </section>
  )
}

function StoredModel({ part, model }: { part: Props['part']; model: PartModel }) {
  const { busy, run } = useAction()
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-3 border-y border-base-300 py-3">
      <p>
        {`${formatCount(Math.ceil(model.size / 1024))} KB, ${formatCount(model.triangles)} triangles, uploaded on ${formatDay(model.uploadedAt)}`}
      </p>
      <div className="flex gap-2">
        <a className="btn btn-sm" href={`/models/${model.hash}.glb`} download={`${part.name}.glb`}>
          Download
        </a>
        <ConfirmButton
          label="Delete model"
          busy={busy}
          question={`Delete the model of ${part.name}?`}
          action="Delete model"
          dismiss="Keep model"
          onConfirm={() =>
            run('Model deleted', () => adminClient.deleteModel({ params: { partId: part._id } }))
          }
        />
      </div>
    </div>
  )
}

function useUpload(partId: string) {
  const form = useRef<HTMLFormElement>(null)
  const [file, setFile] = useState<File>()
  const [busy, setBusy] = useState(false)
  const [message, setMessage] = useState<string>()
  const { revalidate } = useRevalidator()

  async function send() {
    setBusy(true)
    setMessage(undefined)
    try {
      await adminClient.uploadModel({ body: { part: partId, file: await encodeModel(file) } })
      form.current?.reset()
      setFile(undefined)
      showToast('Model uploaded')
      await revalidate()
    } catch (error) {
      setMessage((error as Error).message)
    } finally {
      setBusy(false)
    }
  }

  return {
    form,
    busy,
    message,
    choose(chosen: File | undefined) {
      setFile(chosen)
      setMessage(undefined)
    },
    upload(event: { preventDefault(): void }) {
      event.preventDefault()
      if (!busy) send()
    },
  }
}

/** In base64. Throws an Error with a message for people. */
async function encodeModel(file: File | undefined): Promise<string> {
  if (!file) throw new Error('Choose a .glb file.')
  if (file.size > maxModelBytes) throw new Error(largeModel)
  return readBase64(file)
}
