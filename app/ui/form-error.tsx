export function FormError({ message }: { message: string | undefined }) {
  if (!message) return null
  return (
    <p role="alert" className="mb-3 text-error">
      {message}
    </p>
  )
}
