import { Code } from '#app/content/code.tsx'
import type { Article } from './article.ts'

const copied = `
const [lines, setLines] = useState<Line[]>([])

function order(id: string, quantity: number) {
  setLines((now) =>
    now.map((line) =>
      line.id === id ? { ...line, quantity } : line,
    ),
  )
}
`

const queued = `
const [quantity, setQuantity] = useState(12)

function addTwoBoxes() {
  setQuantity(quantity + 12) // 24
  setQuantity(quantity + 12) // 24 again
}

function addTwoMoreBoxes() {
  setQuantity((now) => now + 12)
  setQuantity((now) => now + 12) // 24 more
}
`

export const article: Article = {
  id: 'setting-state-directly',
  question: 'Why shouldn’t you set state directly in React?',
  answer:
    'React learns about a change only through the setter function, and it compares the new value with the old one using Object.is. An object that you change in place is still the same object, so the screen may keep showing the old value, and code that compares old and new values may miss the change.',
  body: (
    <>
      <p>
        Imagine an order with several lines, where one quantity changes. <code>lines[0].quantity = 24</code>{' '}
        changes the object, but React doesn’t know. Calling <code>setLines(lines)</code> afterwards doesn’t
        help: it’s the array React already has, so React skips the update. You need a new array with a new
        object for the changed line. The other lines stay the same.
      </p>
      <Code label="One line of an order replaced by a changed copy">{copied}</Code>
      <p>
        State is also a snapshot. A setter doesn’t change the variable in the current render. It queues an
        update for the next one. React batches these updates, and since version 18 it does so in timers and
        after <code>await</code> too. If the new value depends on the old one, pass a function:
      </p>
      <Code label="Two updates from one snapshot, and two that build on each other">{queued}</Code>
      <p>
        Changing state in place causes other problems too. <code>memo</code> and effect dependencies compare
        references. React Compiler relies on immutability and may reuse a result from before the change. React
        may also abandon a render and start again, but a change made in the first attempt remains. Strict Mode
        renders twice in development to reveal such bugs.
      </p>
      <p>
        Copying is cheap because unchanged objects are shared. It’s tedious for deeply nested state. Flatten
        the state if you can. If you can’t, Immer lets you write assignments and makes the copy for you. You
        can safely change objects that React doesn’t track: an array that you just created, or a{' '}
        <code>useRef</code> that holds a timer and isn’t read while rendering.
      </p>
    </>
  ),
}
