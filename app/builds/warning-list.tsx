import { type ReactNode, useEffect, useState } from 'react'
import { client } from '#app/client.ts'

export function WarningList({ partIds }: { partIds: string[] }): ReactNode {
  const [texts, setTexts] = useState<string[]>([])
  const ids = partIds.join()
  useEffect(() => {
    let isCurrent = true
    readWarnings(ids.split(',').filter(Boolean)).then(
      (texts) => isCurrent && setTexts(texts),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [ids])
  return (
    <div role="status" className="my-4 grid gap-2 empty:hidden">
      {texts.map((text) => (
        <p key={text} className="border-l-4 border-warning pl-3 text-sm">
          {text}
        </p>
      ))}
    </div>
  )
}

async function readWarnings(partIds: string[]) {
  if (partIds.length === 0) return []
  const { build, warnings } = await client.checkBuild({ body: { partIds } })
  return warnings.map(({ partNumber, because }) => `${partNumber} does not fit ${build}: ${because}`)
}
