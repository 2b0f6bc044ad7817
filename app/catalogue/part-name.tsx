import { Fragment } from 'react'

/** Without a line break inside short hyphenated words such as 12-Speed. */
export function PartName({ name }: { name: string }) {
  return name.split(/(\s+)/).map((word, i) =>
    /^[^-]{1,8}-[^-]{1,8}$/.test(word) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: words have no other identity
      <span key={i} className="whitespace-nowrap">
        {word}
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: words have no other identity
      <Fragment key={i}>{word}</Fragment>
    ),
  )
}
