import { useEffect, useState } from 'react'
import { ToastContainer, toast } from 'react-toastify/unstyled'

/** Below the menu, unless a toast would cover a heading or something to press there. */
export function Toasts() {
  const top = useFreeTop()
  return <ToastContainer style={{ top }} autoClose={5000} position="top-right" theme="light" />
}

const belowMenu = 'var(--below-menu)'
const obstacles = ':is(header, main) :is(h1, h2, h3, a, button, input, select, textarea, summary)'
const gap = 8
const intervalMs = 200

function useFreeTop() {
  const [top, setTop] = useState(belowMenu)
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined
    const place = () => setTop(freeTop())
    const stopListening = toast.onChange(() => {
      // Rows may still move after an action.
      timer ??= setInterval(place, intervalMs)
      place()
      if (document.querySelector('.Toastify__toast')) return
      clearInterval(timer)
      timer = undefined
      setTop(belowMenu)
    })
    return () => {
      stopListening()
      clearInterval(timer)
    }
  }, [])
  return top
}

/** The place that it has, if that is free, else the highest that is. */
function freeTop() {
  const container = document.querySelector('.Toastify__toast-container')
  if (!container) return belowMenu
  const { left, right, top, height } = container.getBoundingClientRect()
  const taken = [...document.querySelectorAll(obstacles)]
    .map(rectOf)
    .filter((rect) => rect.height > 0 && rect.right > left && rect.left < right)
  const isFree = (at: number) =>
    at + height <= innerHeight && taken.every((rect) => rect.bottom <= at || rect.top >= at + height)
  const places = [gap, ...taken.map(({ bottom }) => bottom + gap).toSorted((a, b) => a - b)]
  const free = isFree(top) || container.matches(':hover') ? top : places.find((at) => at >= gap && isFree(at))
  return free === undefined ? belowMenu : `${free}px`
}

/** Of the words of a heading, which spans its column. */
function rectOf(element: Element) {
  if (!/^H\d$/.test(element.tagName)) return element.getBoundingClientRect()
  const range = document.createRange()
  range.selectNodeContents(element)
  return range.getBoundingClientRect()
}
