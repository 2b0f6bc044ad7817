import { useState } from 'react'
import { loadScript } from '#app/browser/failed-imports.ts'
import { Icon } from '#app/ui/icon.tsx'
import { loadModel } from './load-model.ts'
import type { ModelScene } from './model-scene.ts'
import type { ViewerProps } from './viewer-props.ts'

/** Lies over the picture, which stays there while the model loads and when there is no model to show. */
export function ModelViewer({ model, name, onClose }: ViewerProps) {
  const [attempt, setAttempt] = useState(0)
  const [scene, setScene] = useState<ModelScene>()
  const [loaded, setLoaded] = useState(0)
  const [problem, setProblem] = useState<string>()
  const [isDark, setDark] = useState(false)

  /** Called with the canvas once it is there; what it returns, when it goes. */
  function show(canvas: HTMLCanvasElement) {
    const leaving = new AbortController()
    let shown: ModelScene | undefined
    async function load() {
      const [{ openModelScene }, file] = await Promise.all([
        loadScript(() => import('./model-scene.ts')),
        loadModel(model, leaving.signal, setLoaded),
      ])
      if (leaving.signal.aborted) return
      shown = await openModelScene(canvas, file, { onLost: () => fail(lostMessage) })
      if (leaving.signal.aborted) return shown.dispose()
      setScene(shown)
      canvas.focus({ preventScroll: true })
    }
    function fail(message: string) {
      if (leaving.signal.aborted) return
      setScene(undefined)
      setProblem(message)
    }
    if (hasWebGl()) load().catch((error: Error) => fail(error.message))
    else fail(noWebGlMessage)
    return () => {
      leaving.abort()
      shown?.dispose()
    }
  }

  function retry() {
    setProblem(undefined)
    setLoaded(0)
    setAttempt(attempt + 1)
  }

  const status = scene ? `${name} can be turned` : problem === undefined ? 'Loading the model' : ''
  return (
    <>
      <p role="status" className="sr-only">
        {status}
      </p>
      {problem === undefined && (
        <Stage
          key={attempt}
          show={show}
          name={name}
          className={scene ? (isDark ? 'bg-ink' : 'bg-plate') : 'opacity-0'}
          onKey={(key) => scene && turnByKey(scene, key)}
        />
      )}
      {!scene && problem === undefined && <Loading loaded={loaded / model.size} />}
      {problem !== undefined && <Problem message={problem} onRetry={problem !== noWebGlMessage && retry} />}
      <div className="mt-3 flex flex-wrap gap-2">
        {scene && (
          <>
            <Tool label="Zoom in" icon="plus" onClick={() => scene.zoom(1)} />
            <Tool label="Zoom out" icon="minus" onClick={() => scene.zoom(-1)} />
            <button type="button" className="btn btn-sm" onClick={() => scene.reset()}>
              Reset view
            </button>
            <button type="button" className="btn btn-sm" onClick={() => setDark(!isDark)}>
              {isDark ? 'Light background' : 'Dark background'}
            </button>
          </>
        )}
        <button type="button" className="btn btn-sm" onClick={onClose}>
          Show photo
        </button>
      </div>
      {scene && (
        <p id="turning" className="mt-2 text-sm text-base-content/75">
          Drag to turn, pinch to zoom. With the keyboard: arrow keys turn, + and − zoom, 0 resets.
        </p>
      )}
    </>
  )
}

const noWebGlMessage =
  'This browser can’t show models, so here is the photo. Turn on WebGL in its settings, or use another browser.'
const lostMessage = 'The browser stopped showing the model. Try again.'

function hasWebGl() {
  return document.createElement('canvas').getContext('webgl2') !== null
}

interface StageProps {
  show: (canvas: HTMLCanvasElement) => () => void
  name: string
  className: string
  onKey: (key: string) => boolean | undefined
}

function Stage({ show, name, className, onKey }: StageProps) {
  // The first one: a new one on each render would open the scene again.
  const [open] = useState(() => (canvas: HTMLCanvasElement | null) => (canvas ? show(canvas) : undefined))
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: its keys are its own
    <canvas
      ref={open}
      tabIndex={0}
      role="application"
      aria-label={`Model of ${name}`}
      aria-describedby="turning"
      className={`absolute inset-x-0 top-0 aspect-4/3 w-full cursor-grab active:cursor-grabbing ${className}`}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return
        if (onKey(event.key)) event.preventDefault()
      }}
    />
  )
}

const step = Math.PI / 18

const turns: Record<string, [aside: number, down: number]> = {
  ArrowLeft: [-step, 0],
  ArrowRight: [step, 0],
  ArrowUp: [0, -step],
  ArrowDown: [0, step],
}

/** Returns whether the key did something. */
function turnByKey(scene: ModelScene, key: string) {
  const turn = turns[key]
  if (turn) scene.turn(...turn)
  else if (key === '+' || key === '=') scene.zoom(1)
  else if (key === '-') scene.zoom(-1)
  else if (key === '0') scene.reset()
  else return false
  return true
}

function Loading({ loaded }: { loaded: number }) {
  return (
    <div className="absolute inset-x-0 top-0 grid aspect-4/3 place-items-end bg-plate/60 p-4">
      <progress className="progress progress-primary" aria-label="Loading the model" value={loaded} />
    </div>
  )
}

function Problem({ message, onRetry }: { message: string; onRetry: false | (() => void) }) {
  return (
    <div role="alert" className="mt-3">
      <p>{message}</p>
      {onRetry && (
        <button type="button" className="btn btn-sm mt-2" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

function Tool({ label, icon, onClick }: { label: string; icon: 'plus' | 'minus'; onClick: () => void }) {
  return (
    <button type="button" className="btn btn-square btn-sm" aria-label={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}
