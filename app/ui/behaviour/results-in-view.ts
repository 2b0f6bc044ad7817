import { type RefObject, useEffect, useRef } from 'react'

/** `shown`: the URL of the results. After another filter or order they may be so few that the screen would show only what is below them. */
export function useResultsInView(results: RefObject<HTMLElement | null>, shown: string) {
  const before = useRef(shown)
  useEffect(() => {
    if (before.current === shown) return
    before.current = shown
    const bottom = results.current?.getBoundingClientRect().bottom ?? innerHeight
    if (bottom < innerHeight / 3) results.current?.scrollIntoView({ block: 'start' })
  }, [results, shown])
}
