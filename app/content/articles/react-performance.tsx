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
  question: 'How can the performance of a React application be improved?',
  answer:
    'Measure before changing anything: record one slow interaction and repair what the recording shows. Usually it is too much rendering, data that is asked for too late, or more JavaScript than the page needs.',
  body: (
    <>
      <p>
        The profiler in React’s developer tools names every component that rendered and can say why; the
        browser’s Performance panel shows scripts, layout and the network. Look for causes in a development or
        profiling build. Confirm the gain in the production build, with the processor throttled: development
        does extra work that no customer waits for.
      </p>
      <p>
        The largest gains come from doing less. A catalogue of 10,000 parts need not be 10,000 rows: fetch a
        page of them, or render only those in view. Keep state close to where it is used, because a component
        whose state changes renders again, by default with everything below it. Where a long list has to
        follow a search box, let it lag:
      </p>
      <Code label="A list of parts that follows the search box when there is time">{deferred}</Code>
      <p>
        The box answers at once. The list renders afterwards, and React drops that work when another key
        arrives; <code>startTransition</code> marks an update of your own as one that may wait. Without{' '}
        <code>memo</code> the list would render twice, the first time together with the box. Nothing becomes
        cheaper: React can pause between components, not inside a slow one.
      </p>
      <p>
        Other memoisation comes last. React Compiler adds it at build time to components that follow the Rules
        of React, and new code built with it seldom needs <code>memo</code>, <code>useMemo</code> or{' '}
        <code>useCallback</code>. Without it, add them where the recording shows costly work repeated. They do
        not speed up the first render, and each is one more thing to read.
      </p>
      <p>
        Often React is not the cause. Data fetched in an effect is asked for only after the code has loaded
        and rendered; the pages of our catalogue come from the server with their data in them. Split code by
        page, send pictures at the size at which they are shown, and stop when an ordinary phone is fast
        enough.
      </p>
    </>
  ),
}
