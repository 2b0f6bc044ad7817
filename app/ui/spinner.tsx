export function Spinner() {
  return (
    <div className="grid place-items-center py-24">
      <LoadingSpinner />
    </div>
  )
}

export function LoadingSpinner() {
  return (
    <div role="status">
      <span className="loading loading-spinner loading-lg text-primary" />
      <span className="sr-only">Loading</span>
      <noscript>This page needs JavaScript. Turn it on and reload.</noscript>
    </div>
  )
}
