import { useEffect, useState } from 'react'

/** The id of what is near the top of the window, of elements that have an id or are labelled by what has one. */
export function useShownSection(selector: string) {
  const [shown, setShown] = useState<string>()
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const entered = entries.findLast(({ isIntersecting }) => isIntersecting)?.target
        if (entered) setShown(entered.id || (entered.getAttribute('aria-labelledby') ?? undefined))
      },
      { rootMargin: '-8% 0px -88% 0px' },
    )
    for (const element of document.querySelectorAll(selector)) observer.observe(element)
    return () => observer.disconnect()
  }, [selector])
  return shown
}
