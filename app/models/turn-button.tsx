import { type ComponentType, useState } from 'react'
import { loadScript } from '#app/browser/failed-imports.ts'
import { showError } from '#app/ui/behaviour/toast.ts'
import type { ViewerProps } from './viewer-props.ts'

/** Of the viewer, nothing is loaded before the click. */
export function TurnButton(props: Omit<ViewerProps, 'onClose'>) {
  const [Viewer, setViewer] = useState<ComponentType<ViewerProps>>()
  if (Viewer) return <Viewer {...props} onClose={() => setViewer(undefined)} />
  const load = () => import('./model-viewer.tsx')
  return (
    <button
      type="button"
      className="btn absolute bottom-3 left-3 h-10 border-0 bg-ink text-paper noscript:hidden"
      onClick={() => loadScript(load).then(({ ModelViewer }) => setViewer(() => ModelViewer), showError)}
    >
      Turn it
    </button>
  )
}
