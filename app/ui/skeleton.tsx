import { LoadingSpinner } from './spinner.tsx'

/** The outline of a dashboard page: menu, heading and rows. */
export function DashboardSkeleton() {
  return (
    <div className="dashboard mt-6 grid gap-x-10 gap-y-6 lg:mt-10 lg:grid-cols-[12rem_1fr]">
      <div aria-hidden="true" className="space-y-5 pl-4 max-lg:hidden">
        <Bar className="w-24" />
        <Bar className="w-32" />
        <Bar className="w-20" />
      </div>
      <div className="min-w-0">
        <div className="mb-8 flex items-center gap-4">
          <Bar className="h-8 w-56" />
          <LoadingSpinner />
        </div>
        <div aria-hidden="true" className="space-y-6">
          {[1, 2, 3, 4, 5].map((row) => (
            <div key={row} className="flex gap-6 border-b border-base-300 pb-6">
              <Bar className="grow" />
              <Bar className="w-1/4" />
              <Bar className="w-1/6" />
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

function Bar({ className }: { className: string }) {
  return <div aria-hidden="true" className={`h-4 animate-pulse bg-base-300 ${className}`} />
}
