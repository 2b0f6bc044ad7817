export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 62 40" className={className} fill="currentColor" aria-hidden="true">
      <path d="M43 1.5a18.5 18.5 0 1 1-17.1 25.5h4.4A14.5 14.5 0 1 0 43 5.5z" />
      <circle cx="43" cy="20" r="3.6" />
      <g className="fill-primary">
        <path d="M0 1.5h43v4a14.5 14.5 0 0 0-6.6 1.6H8C4.2 7.1 1.2 5 0 1.5z" />
        <path d="M9 10h23.5a14.5 14.5 0 0 0-3.3 5.6H16.5C12.7 15.6 10.2 13.5 9 10z" />
        <path d="M18 18.5h10.6a14.5 14.5 0 0 0 .5 5.6h-2C22.5 24.1 19.3 22 18 18.5z" />
      </g>
    </svg>
  )
}
