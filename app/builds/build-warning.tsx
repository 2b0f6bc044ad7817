import { useEffect, useState } from 'react'
import { useSession } from '#app/auth/session.ts'

/** Of parts that don’t fit the build that a customer has chosen. Visitors load nothing of it. */
export function BuildWarning({ partIds }: { partIds: string[] }) {
  const [texts, setTexts] = useState<string[]>([])
  const email = useSession()?.email
  const ids = partIds.join()
  useEffect(() => {
    let isCurrent = true
    setTexts([])
    if (email && ids)
      import('./read-warnings.ts')
        .then(({ readWarnings }) => readWarnings(ids.split(',')))
        .then(
          (texts) => isCurrent && setTexts(texts),
          () => {},
        )
    return () => {
      isCurrent = false
    }
  }, [ids, email])
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
