import { type MouseEvent, useRef, useState } from 'react'
import { TurnButton } from '#app/models/turn-button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { pictureSources } from '#shop/pictures/picture.ts'
import { Picture } from './picture.tsx'

interface Props {
  pictures: string[]
  name: string
  model: { hash: string; size: number } | null
}

export function Gallery({ pictures, name, model }: Props) {
  const [chosen, setChosen] = useState(0)
  const [zoomKey, setZoomKey] = useState(0)
  const zoom = useRef<HTMLDialogElement>(null)
  const shown = pictures[chosen] ?? pictures[0]!
  const alt = chosen === 0 ? name : `${name}, photo ${chosen + 1}`

  /** Without JavaScript, or with a modifier key, the link opens the picture itself. */
  const onPlainClick = (action: () => void) => (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    action()
  }

  return (
    <div>
      <div className="relative">
        <a
          href={pictureSources(shown).full}
          className="plate relative block cursor-zoom-in"
          onClick={onPlainClick(() => zoom.current?.showModal())}
        >
          <Picture
            src={shown}
            alt={alt}
            sizes="(width < 64rem) 92vw, 42rem"
            loading="eager"
            fetchPriority="high"
            className="aspect-4/3 w-full object-cover"
          />
          <span className="absolute right-3 bottom-3 grid size-10 place-items-center bg-ink text-paper">
            <Icon name="plus" />
            <span className="sr-only">, enlarge</span>
          </span>
        </a>
        {model && <TurnButton key={shown} model={model} name={name} />}
      </div>
      {pictures.length > 1 && (
        <ul className="mt-3 flex flex-wrap gap-3">
          {pictures.map((picture, i) => (
            <li key={picture}>
              <a
                href={pictureSources(picture).full}
                aria-label={`Photo ${i + 1}`}
                aria-current={i === chosen}
                className="plate block w-24 border-2 border-transparent aria-current:border-primary aria-[current=false]:border-transparent"
                onClick={onPlainClick(() => setChosen(i))}
              >
                <Picture src={picture} alt="" sizes="6rem" className="aspect-4/3 w-full object-cover" />
              </a>
            </li>
          ))}
        </ul>
      )}
      <dialog
        ref={zoom}
        aria-label={`${name}, enlarged`}
        onClose={() => setZoomKey(zoomKey + 1)}
        className="m-0 h-dvh max-h-none w-dvw max-w-none bg-plate p-0"
      >
        <Zoom key={`${shown} ${zoomKey}`} picture={shown} alt={alt} onClose={() => zoom.current?.close()} />
      </dialog>
    </div>
  )
}

function Zoom({ picture, alt, onClose }: { picture: string; alt: string; onClose: () => void }) {
  const [zoomed, setZoomed] = useState(false)
  const view = useRef<HTMLElement>(null)

  function toggle(x = 0.5, y = 0.5) {
    setZoomed(!zoomed)
    requestAnimationFrame(() => {
      const { scrollWidth = 0, scrollHeight = 0, clientWidth = 0, clientHeight = 0 } = view.current ?? {}
      view.current?.scrollTo(scrollWidth * x - clientWidth / 2, scrollHeight * y - clientHeight / 2)
    })
  }

  return (
    <>
      <div className="fixed top-3 right-3 z-10 flex gap-2">
        <button type="button" className="btn border-0 bg-ink text-paper" onClick={() => toggle()}>
          <Icon name={zoomed ? 'minus' : 'plus'} />
          {zoomed ? 'Zoom out' : 'Zoom in'}
        </button>
        <button type="button" className="btn border-0 bg-ink text-paper" onClick={onClose}>
          <Icon name="close" />
          Close
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that the arrow keys move the picture */}
      <figure ref={view} className="h-full overflow-auto" tabIndex={0} aria-label="Picture">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button above does the same by key */}
        <img
          src={pictureSources(picture).full}
          alt={alt}
          loading="lazy"
          className={
            zoomed ? 'w-[220%] max-w-none cursor-zoom-out' : 'h-full w-full cursor-zoom-in object-contain'
          }
          onClick={({ nativeEvent: { offsetX, offsetY }, currentTarget: { clientWidth, clientHeight } }) =>
            toggle(offsetX / clientWidth, offsetY / clientHeight)
          }
        />
      </figure>
    </>
  )
}
