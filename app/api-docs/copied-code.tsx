import { useRef, useState } from 'react'

interface Props {
  title: string
  text: string
  /** What the button copies, when it has one. */
  copyLabel?: string
}

export function CopiedCode({ title, text, copyLabel }: Props) {
  const [copied, setCopied] = useState(false)
  const code = useRef<HTMLPreElement>(null)
  async function copy() {
    await copyText(text, code.current!)
    setCopied(true)
  }
  return (
    <figure aria-label={title} className="m-0 min-w-0 rounded-box bg-neutral text-neutral-content">
      <figcaption className="flex min-h-10 items-center justify-between gap-3 py-1 pr-2 pl-4 text-sm font-semibold">
        {title}
        {copyLabel && (
          <button
            type="button"
            aria-label={copyLabel}
            className="scripted btn btn-sm btn-ghost text-neutral-content hover:text-base-content"
            onClick={copy}
            onBlur={() => setCopied(false)}
          >
            <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
          </button>
        )}
      </figcaption>
      <pre
        ref={code}
        className="max-h-80 overflow-auto px-4 pb-3 text-xs leading-relaxed print:max-h-none"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the arrow keys scroll it
        tabIndex={0}
      >
        {text}
      </pre>
    </figure>
  )
}

/** Browsers have no clipboard on a site without https: there the text is selected and copied as by hand. */
async function copyText(text: string, element: Element) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  getSelection()?.selectAllChildren(element)
  document.execCommand('copy')
}
