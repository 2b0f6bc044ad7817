import { type ComponentProps, createContext, type ReactNode, use } from 'react'
import { Link } from 'react-router'

const RowName = createContext('')

/** Its controls are called by their text and this name: screen readers and voice control tell “Delete” of twenty rows apart. */
export function NamedRow({ name, children }: { name: string; children: ReactNode }) {
  return <RowName value={name}>{children}</RowName>
}

/** What a control of a row is called. Undefined outside of rows, and for what has no text, or one that has the name already. */
export function useRowLabel(text: ReactNode): string | undefined {
  const name = use(RowName)
  return name && typeof text === 'string' && !text.includes(name) ? `${text}, ${name}` : undefined
}

/** For links whose text is the same in each row. */
export function RowLink({ children, ...link }: ComponentProps<typeof Link> & { children: string }) {
  return (
    <Link aria-label={useRowLabel(children)} {...link}>
      {children}
    </Link>
  )
}
