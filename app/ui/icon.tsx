// biome-ignore format: a table
const paths = {
  search:   'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.3 15.3 20.5 20.5',
  grid:     'M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z',
  list:     'M4 6h16M4 12h16M4 18h16',
  arrow:    'M5 12h14M13 6l6 6-6 6',
  plus:     'M12 5v14M5 12h14',
  minus:    'M5 12h14',
  close:    'M6 6l12 12M18 6 6 18',
  place:    'M12 21s7-6.3 7-11a7 7 0 1 0-14 0c0 4.7 7 11 7 11zM12 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  phone:    'M5 4h4l1.5 5-2.3 1.7a12 12 0 0 0 5.1 5.1L15 13.5l5 1.5v4c0 .6-.4 1-1 1C11 20 4 13 4 5c0-.6.4-1 1-1z',
  mail:     'M3.5 5.5h17v13h-17zM3.5 6.5 12 13l8.5-6.5',
  google:   'M18.5 6.5A8.5 8.5 0 1 0 20.5 12H12.5',
  github:   'M7 8v8M7 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17 9c0 4-10 3-10 7',
}

export type IconName = keyof typeof paths

/** Hidden from screen readers: the parent needs a text label. */
export function Icon({ name, className = 'size-5' }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}
