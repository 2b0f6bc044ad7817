import { useEffect, useRef, useState } from 'react'
import { type UseFormReturn, useController } from 'react-hook-form'
import { Picture } from '#app/catalogue/picture.tsx'
import { Field } from '#app/ui/field.tsx'
import { pictureTypes } from '#shop/parts/picture.ts'
import type { ProductInput, ProductValues } from './product.ts'

interface Props {
  form: UseFormReturn<ProductInput, unknown, ProductValues>
  currentImage: string | undefined
}

export function PhotoField({ form: { control, setValue }, currentImage }: Props) {
  const { field, fieldState } = useController({ control, name: 'image' })
  const input = useRef<HTMLInputElement>(null)
  const file = field.value
  const error = fieldState.error?.message
  const preview = usePreview(error ? undefined : file)

  useEffect(() => {
    if (!file && input.current) input.current.value = ''
  }, [file])

  return (
    <div className="grid items-start gap-x-6 sm:grid-cols-[1fr_12rem]">
      <Field
        label="Photo file"
        optional={currentImage !== undefined}
        type="file"
        className={`file-input w-full ${error ? 'file-input-error' : ''}`}
        accept={pictureTypes.join(',')}
        error={error}
        hint={`JPEG, PNG, WebP or AVIF, at most 10 MB.${currentImage ? ' Without one the present picture stays.' : ''}`}
        name={field.name}
        ref={(element) => {
          input.current = element
          field.ref(element)
        }}
        onBlur={field.onBlur}
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0]
          setValue('image', chosen, { shouldValidate: chosen !== undefined, shouldDirty: true })
        }}
      />
      <ImagePreview preview={preview} currentImage={currentImage} />
    </div>
  )
}

function ImagePreview({
  preview,
  currentImage,
}: {
  preview: string | undefined
  currentImage: string | undefined
}) {
  const className = 'aspect-4/3 w-full object-cover'
  if (!preview && !currentImage) return null
  return (
    <div className="plate mb-4 max-w-60">
      {preview ? (
        <img src={preview} alt="Preview of the chosen file" className={className} />
      ) : (
        <Picture src={currentImage!} alt="Present" sizes="15rem" loading="eager" className={className} />
      )}
    </div>
  )
}

function usePreview(file: File | undefined) {
  const [preview, setPreview] = useState<string>()
  useEffect(() => {
    if (!file) return
    const url = URL.createObjectURL(file)
    setPreview(url)
    return () => {
      setPreview(undefined)
      URL.revokeObjectURL(url)
    }
  }, [file])
  return preview
}
