import { type RefObject, useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useShownSection } from '#app/ui/behaviour/shown-section.ts'
import type { IndexGroup } from './call-groups.server.ts'

const colours: Record<string, string> = {
  GET: 'text-info',
  POST: 'text-success',
  DELETE: 'text-error',
}

export function CallMethod({ name }: { name: string }) {
  return <span className={`font-semibold ${colours[name] ?? 'text-primary'}`}>{name}</span>
}

interface Props {
  groups: IndexGroup[]
  /** Of the page that is open: its calls are listed, and all that are searched for. */
  path: string | undefined
}

/** Beside the calls where there is room for it; elsewhere a search above them. */
export function CallIndex({ groups, path: open }: Props) {
  const navigate = useNavigate()
  const [words, setWords] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const current = useShownSection('article[aria-labelledby]')
  useInView(list, current)
  const shown = filterGroups(groups, words)
  return (
    <nav
      aria-label="Calls"
      className="top-6 mt-6 flex max-h-96 flex-col self-start border-base-300 xl:sticky xl:rounded-box xl:border xl:col-start-1 xl:row-span-2 xl:row-start-1 xl:mt-0 xl:max-h-[calc(100dvh-3rem)]"
    >
      <form
        className="scripted xl:p-3"
        onSubmit={(event) => {
          event.preventDefault()
          const [group] = shown
          if (words && group) navigate(`${group.path}#${group.calls[0]!.name}`)
        }}
      >
        <input
          type="search"
          className="input input-sm w-full"
          aria-label="Filter calls"
          placeholder="Filter by name, method or path"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      </form>
      <div
        ref={list}
        className={`relative min-h-0 overflow-y-auto overscroll-contain px-3 py-2 ${words ? '' : 'max-xl:hidden'}`}
      >
        {shown.length === 0 && <p className="py-2 text-sm">No calls match. Try another word.</p>}
        {shown.map(({ noun, path: page, calls }) => (
          <div key={noun} className={words || page === open ? 'mb-3' : ''}>
            <h2 className="text-sm">
              <Link
                to={page}
                aria-current={page === open ? 'page' : undefined}
                className="-mx-1.5 flex justify-between gap-2 rounded-field px-1.5 py-1 hover:bg-base-200"
              >
                {noun}
                <span aria-hidden="true" className="font-normal text-base-content/75">
                  {calls.length}
                </span>
              </Link>
            </h2>
            <ul className="text-xs" hidden={!words && page !== open}>
              {calls.map(({ name, method, path }) => (
                <li key={name}>
                  <Link
                    to={`${page}#${name}`}
                    aria-current={name === current ? 'location' : undefined}
                    className="-mx-1.5 flex gap-2 rounded-field px-1.5 py-1 hover:bg-base-200 aria-[current]:bg-base-200 aria-[current]:font-semibold"
                  >
                    <span className="w-12 shrink-0 font-mono">
                      <CallMethod name={method} />
                    </span>
                    <span className="min-w-0">
                      {name}{' '}
                      <span className="block font-mono font-normal wrap-anywhere text-base-content/75">
                        {path}
                      </span>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  )
}

/** Those in which each word occurs. */
function filterGroups(groups: IndexGroup[], text: string): IndexGroup[] {
  const words = text.toLowerCase().split(/\s+/)
  return groups.flatMap((group) => {
    const { noun, calls } = group
    const found = calls.filter(({ name, method, path }) => {
      const content = `${noun} ${method} ${name} ${path}`.toLowerCase()
      return words.every((word) => content.includes(word))
    })
    return found.length > 0 ? [{ ...group, calls: found }] : []
  })
}

/** Keeps the link of the call in view. */
function useInView(list: RefObject<HTMLElement | null>, name: string | undefined) {
  useEffect(() => {
    const box = list.current
    const link = box?.querySelector<HTMLElement>(`a[href$="#${name}"]`)
    if (!box || !link) return
    const above = link.offsetTop < box.scrollTop
    const below = link.offsetTop + link.offsetHeight > box.scrollTop + box.clientHeight
    if (above || below) box.scrollTop = link.offsetTop - box.clientHeight / 3
  }, [list, name])
}
