export function Spinner() {
  return (
    <div role="status" className="grid place-items-center py-24">
      <span className="loading loading-spinner loading-lg text-primary" />
      <span className="sr-only">Loading</span>
      <noscript>This page needs JavaScript.</noscript>
    </div>
  )
}
