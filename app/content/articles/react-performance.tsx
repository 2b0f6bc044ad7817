import { Code } from '#app/content/code.tsx'
import type { Article } from './article.ts'

const deferred = `
const PartList = memo(LongPartList)

function Catalogue() {
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text)

  return (
    <>
      <SearchBox value={text} onChange={setText} />
      <PartList wanted={wanted} />
    </>
  )
}
`

export const article: Article = {
  id: 'react-performance',
  question: 'How can you improve the performance of a React application?',
  answer:
    'Measure before you change anything. Record one slow interaction and fix what the recording shows. The cause is usually too much rendering, data that’s requested too late, or more JavaScript than the page needs.',
  body: (
    <>
      <p>
        The profiler in React Developer Tools lists every component that rendered and can show why. The
        browser’s Performance panel shows scripts, layout and network requests. Look for causes in a
        development or profiling build. Then confirm the improvement in the production build with CPU
        throttling on, because development builds do extra work that customers never wait for.
      </p>
      <p>
        The biggest improvements come from doing less. A catalogue of 10,000 parts doesn’t need 10,000 rows:
        fetch one page, or render only the rows in view. Keep state close to where it’s used, because a state
        change re-renders the component and, by default, everything below it. If a long list follows a search
        box, let the list update later:
      </p>
      <Code label="A search box that stays responsive while the list of parts catches up">{deferred}</Code>
      <p>
        The search box responds immediately. The list renders afterwards, and React discards that work if you
        press another key. <code>startTransition</code> marks any other update as one that can wait. Without{' '}
        <code>memo</code>, the list would render twice, the first time together with the search box. Deferring
        the update doesn’t reduce the total work. React can pause between components, but not inside a slow
        one.
      </p>
      <p>
        Add other memoisation last. React Compiler adds it at build time to components that follow the Rules
        of React, so new code rarely needs <code>memo</code>, <code>useMemo</code> or <code>useCallback</code>
        . Without the compiler, add them where the recording shows repeated expensive work. They don’t speed
        up the first render, and each one makes the code harder to read.
      </p>
      <p>
        Often React isn’t the cause. Data fetched in an effect is requested only after the code has loaded and
        rendered. Our catalogue pages come from the server with their data included. Split code by page, send
        pictures at the size they’re displayed, and stop when the page is fast enough on an average phone.
      </p>
    </>
  ),
}
