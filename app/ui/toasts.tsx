import { type ComponentType, useEffect, useState } from 'react'
import { loadToasts, toastList } from './toast.ts'

const interactions = ['pointerdown', 'keydown'] as const

/** Loaded with the first interaction, which every toast follows. */
export function Toasts() {
  const [List, setList] = useState<ComponentType>()
  useEffect(() => {
    const load = () => loadToasts().catch(() => {})
    for (const type of interactions) addEventListener(type, load, { once: true })
    toastList.then((component) => setList(() => component))
    return () => {
      for (const type of interactions) removeEventListener(type, load)
    }
  }, [])
  return List && <List />
}
