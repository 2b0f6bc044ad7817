import { useEffect, useRef, useState } from 'react'
import { type UseFormReturn, useController } from 'react-hook-form'
import { Picture } from '#app/catalogue/picture.tsx'
import { Field } from '#app/ui/field.tsx'
import { pictureTypes } from '#shop/pictures/picture.ts'
import type { ProductInput, ProductValues } from './product.ts'

interface Props {
  form: UseFormReturn<ProductInput, unknown, ProductValues>
  name: 'image' | 'secondImage'
  label: string
  optional?: boolean
  currentImage: string | undefined
}

export function PhotoField({ form: { control, setValue }, name, label, optional, currentImage }: Props) {
  const { field, fieldState } = useController({ control, name })
  const input = useRef<HTMLInputElement>(null)
  const file = field.value
  const error = fieldState.error?.message
  const preview = usePreview(error ? undefined : file)

  const hints = [
    optional && !currentImage && 'Optional.',
    'JPEG, PNG, WebP or AVIF, up to 10 MB.',
    currentImage && 'Leave empty to keep the current photo.',
  ]

  useEffect(() => {
    if (!file && input.current) input.current.value = ''
  }, [file])

  return (
    <div className="grid items-start gap-x-6 sm:grid-cols-[1fr_12rem]">
      <Field
        label={label}
        optional={optional || currentImage !== undefined}
        type="file"
        className={`file-input w-full ${error ? 'file-input-error' : ''}`}
        accept={pictureTypes.join(',')}
        error={error}
        hint={hints.filter(Boolean).join(' ')}
        name={field.name}
        ref={(element) => {
          input.current = element
          field.ref(element)
        }}
        onBlur={field.onBlur}
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0]
          setValue(name, chosen, { shouldValidate: chosen !== undefined, shouldDirty: true })
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
        <img src={preview} alt="Preview of the selected file" className={className} />
      ) : (
        <Picture
          src={currentImage!}
          alt="Current photo"
          sizes="15rem"
          loading="eager"
          className={className}
        />
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
