import { useEffect, useState } from 'react'
import { ToastContainer, toast } from 'react-toastify/unstyled'

export { toast }

/** Below the menu, on a phone at the bottom, unless a toast would cover a heading, a total or something to press there. */
export function ToastList() {
  const top = useFreeTop()
  return <ToastContainer style={{ top }} autoClose={5000} position="top-right" theme="light" />
}

const belowMenu = 'var(--below-menu)'
const obstacles =
  ':is(header, main) :is(h1, h2, h3, #ordered, .total, a, button, summary, input:focus, select:focus), .purchase-bar, .foot-bar, [aria-label=Selection]'
/** A phone has no room beside them, and what was just used is looked at. */
const phoneObstacles = `${obstacles}, main :is(input, select, textarea, label, dd, td.text-right, li:focus-within, tr:focus-within)`
/** What takes room on a page, but is not seen there. */
const hidden = 'dialog:not([open])'
const hiddenOnPhone = `${hidden}, thead`
const gap = 8
const intervalMs = 100
/** A toast is announced before it is rendered. */
const maxEmptyTicks = 10

function useFreeTop() {
  const [top, setTop] = useState(belowMenu)
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined
    let emptyTicks = 0
    let isPlaced = false
    const place = () => {
      setTop(freeTop(isPlaced))
      isPlaced = document.querySelector('.Toastify__toast') !== null
      emptyTicks = document.querySelector('.Toastify__toast') ? 0 : emptyTicks + 1
      if (emptyTicks < maxEmptyTicks) return
      clearInterval(timer)
      timer = undefined
    }
    const stopListening = toast.onChange(() => {
      emptyTicks = 0
      // Repeatedly, because rows may still move after an action.
      timer ??= setInterval(place, intervalMs)
    })
    return () => {
      stopListening()
      clearInterval(timer)
    }
  }, [])
  return top
}

/** The place that it has, if that is free, else the highest, in the upper third if there is one, or the lowest on a phone, where what it announces is above. */
function freeTop(isPlaced: boolean) {
  const container = document.querySelector('.Toastify__toast-container')
  if (!container?.querySelector('.Toastify__toast')) return belowMenu
  const { left, right, top, height } = container.getBoundingClientRect()
  const isPhone = innerWidth < 640
  const taken = [...document.querySelectorAll(isPhone ? phoneObstacles : obstacles)]
    .filter((element) => !element.closest(isPhone ? hiddenOnPhone : hidden))
    .map(measureRect)
    .filter(
      (rect) =>
        rect.height > 0 &&
        rect.right > left &&
        rect.left < right &&
        rect.bottom > 0 &&
        rect.top < innerHeight,
    )
  const lowest = isPhone ? innerHeight - height : innerHeight / 3
  const placesBeside = ({ top, bottom }: DOMRect) => [top - gap - height, bottom + gap]
  const isFree = (at: number) =>
    at + height <= innerHeight && taken.every((rect) => rect.bottom <= at || rect.top >= at + height)
  const places = isPhone
    ? [lowest, ...taken.flatMap(placesBeside).toSorted((a, b) => b - a)]
    : [gap, ...taken.map(({ bottom }) => bottom + gap).toSorted((a, b) => a - b)]
  const stays = container.matches(':hover') || ((isPlaced || !isPhone) && isFree(top))
  const free = stays
    ? top
    : (places.find((at) => at >= gap && at <= lowest && isFree(at)) ??
      places.find((at) => at >= gap && isFree(at)))
  if (free !== undefined) return `${free}px`
  if (!isPhone) return belowMenu
  const fitting = places.filter((at) => at >= gap && at + height <= innerHeight)
  const [least] = fitting.toSorted((a, b) => countCovered(taken, a, height) - countCovered(taken, b, height))
  return least === undefined ? belowMenu : `${least}px`
}

/** CSS px, of all that a toast there would cover. */
function countCovered(taken: DOMRect[], top: number, height: number) {
  return taken.reduce(
    (sum, rect) => sum + Math.max(0, Math.min(rect.bottom, top + height) - Math.max(rect.top, top)),
    0,
  )
}

/** Of the words of a heading or a line, which spans its column. */
function measureRect(element: Element) {
  if (!/^(H\d|P|DD|TD)$/.test(element.tagName)) return element.getBoundingClientRect()
  const range = document.createRange()
  range.selectNodeContents(element)
  return range.getBoundingClientRect()
}
