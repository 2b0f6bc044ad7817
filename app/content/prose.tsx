import type { ReactNode } from 'react'

export function Prose({ children }: { children: ReactNode }) {
  return <div className="prose-text">{children}</div>
}

/** A text of the settings: a line after ## is a heading, lines after - are a list, and an empty line ends a paragraph. */
export function WrittenProse({ title, text }: { title: string; text: string }) {
  return (
    <>
      <h1 className="mt-10 mb-6">{title}</h1>
      <Prose>
        {readBlocks(text).map((lines, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the blocks have no id, and never move
          <WrittenBlock key={i} lines={lines} />
        ))}
      </Prose>
    </>
  )
}

/** A heading is a block of its own. */
function readBlocks(text: string): string[][] {
  const blocks: string[][] = [[]]
  for (const line of text.split('\n').map((line) => line.trim())) {
    if (line.startsWith('## ')) blocks.push([line], [])
    else if (line === '') blocks.push([])
    else blocks.at(-1)!.push(line)
  }
  return blocks.filter((lines) => lines.length > 0)
}

function WrittenBlock({ lines }: { lines: string[] }) {
  const [first = ''] = lines
  if (first.startsWith('## ')) return <h2>{first.slice(3)}</h2>
  if (lines.every((line) => line.startsWith('- ')))
    return (
      <ul>
        {lines.map((line) => (
          <li key={line}>{line.slice(2)}</li>
        ))}
      </ul>
    )
  return <p className="whitespace-pre-line">{lines.join('\n')}</p>
}
