import { useState } from 'react'
import { Field } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import type { Drawing } from '#shop/drawings/drawing.ts'
import { pictureTypes } from '#shop/pictures/picture.ts'
import { SpotCanvas } from './spot-canvas.tsx'
import { SpotRows } from './spot-rows.tsx'
import { useDrawing } from './use-drawing.ts'

export function DrawingEditor({ drawing }: { drawing: Drawing | null }) {
  const state = useDrawing(drawing)
  const [chosen, setChosen] = useState<string | null>(null)
  const { title, image, spots, busy, message, errorOf } = state
  return (
    <form
      method="post"
      noValidate
      className="max-w-4xl"
      onSubmit={(event) => {
        event.preventDefault()
        state.save()
      }}
    >
      <div className="grid gap-x-6 sm:grid-cols-2">
        <Field
          label="Title"
          value={title}
          error={errorOf('title')}
          onChange={(event) => state.setTitle(event.target.value)}
        />
        <Field
          label={image ? 'Another picture' : 'Picture'}
          type="file"
          optional={image !== ''}
          accept={pictureTypes.join(',')}
          disabled={busy !== null}
          error={errorOf('image')}
          hint="JPEG, PNG, WebP or AVIF, up to 10 MB. It is shown four wide and three high."
          className="file-input w-full"
          onChange={(event) => {
            const file = event.target.files?.[0]
            if (file) state.upload(file)
          }}
        />
      </div>
      {busy === 'uploading' && (
        <p role="status" className="mb-4">
          Uploading the picture…
        </p>
      )}
      {image && (
        <>
          <SpotCanvas
            image={image}
            spots={spots}
            chosen={chosen}
            onChoose={setChosen}
            onAdd={(x, y) => setChosen(state.addSpot(x, y))}
            onMove={(key, x, y) => state.changeSpot(key, { x, y })}
            onRemove={state.removeSpot}
          />
          <SpotRows {...state} chosen={chosen} onChoose={setChosen} />
        </>
      )}
      <FormError message={message} />
      <SubmitButton busy={busy === 'saving'} className="mt-4">
        {drawing ? 'Save drawing' : 'Add drawing'}
      </SubmitButton>
    </form>
  )
}
