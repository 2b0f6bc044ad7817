import { type ComponentType, useEffect, useState } from 'react'
import { useSession } from '#app/auth/session.ts'
import { loadToasts, toastList } from '#app/ui/behaviour/toast.ts'

const interactions = ['pointerdown', 'keydown'] as const

/**
 * Loaded with the first interaction, which every toast follows. Earlier for who is signed in: what they do needs the network, and when
 * that is gone, a toast says so.
 */
export function Toasts() {
  const isSignedIn = Boolean(useSession())
  const [List, setList] = useState<ComponentType>()
  useEffect(() => {
    const load = () => loadToasts().catch(() => {})
    if (isSignedIn) load()
    for (const type of interactions) addEventListener(type, load, { once: true })
    toastList.then((component) => setList(() => component))
    return () => {
      for (const type of interactions) removeEventListener(type, load)
    }
  }, [isSignedIn])
  return List && <List />
}
