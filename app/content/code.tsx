interface Props {
  /** What the lines show, for whoever does not see them. */
  label: string
  children: string
}

/** Lines of code that scroll sideways, by keyboard too, where they do not fit. */
export function Code({ label, children }: Props) {
  return (
    <figure
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no pointer scrolls with the arrow keys.
      tabIndex={0}
      className="overflow-x-auto rounded-box bg-base-200 p-4 font-mono text-sm"
    >
      <pre>
        <code>{children.trim()}</code>
      </pre>
    </figure>
  )
}
