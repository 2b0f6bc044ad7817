interface Props {
  label: string
  children: string
}

export function Code({ label, children }: Props) {
  return (
    <figure
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll with the arrow keys
      tabIndex={0}
      className="overflow-x-auto rounded-box bg-base-200 p-4 font-mono text-sm"
    >
      <pre>
        <code>{children.trim()}</code>
      </pre>
    </figure>
  )
}
