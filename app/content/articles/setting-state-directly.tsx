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
  question: 'Why must state not be set directly in React?',
  answer:
    'React hears of a change only through the setter, and compares the new value with the old one by Object.is. An object that was changed in place is still the same object, so the screen may keep showing the old value, and whatever relied on that value is wrong.',
  body: (
    <>
      <p>
        Take an order of several lines, one of whose quantities changes. <code>lines[0].quantity = 24</code>{' '}
        changes the object and tells React nothing. Calling <code>setLines(lines)</code> afterwards does not
        help: it is the array that React already has, and the update is skipped. What is needed is a new array
        with a new object for the line that changed; the other lines stay as they are.
      </p>
      <Code label="One line of an order replaced by a changed copy">{copied}</Code>
      <p>
        State is also a snapshot. A setter does not change the variable of the render that called it; it
        queues an update for the next. React batches what is queued together, since version 18 in timers and
        after <code>await</code> too. When the new value depends on the old one, pass a function:
      </p>
      <Code label="Two updates from one snapshot, and two that build on each other">{queued}</Code>
      <p>
        Changes in place break more than one screen. <code>memo</code> and the dependencies of effects compare
        references. React Compiler relies on immutability and may reuse what it calculated before the change.
        React may abandon a render and begin again, and a change made during the first attempt stays behind.
        Strict Mode renders twice in development to bring such faults to light.
      </p>
      <p>
        Copying is cheap, since everything that did not change is shared. For deeply nested state it is
        tedious: flatten the state first, and if that is not possible, Immer turns assignments to a draft into
        a copy. Changing in place is right where React does not look: an array that you have just made, or a{' '}
        <code>useRef</code> that holds a timer and is not read while rendering.
      </p>
    </>
  ),
}
