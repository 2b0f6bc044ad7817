import { Code } from '#app/content/code.tsx'
import type { Article } from './article.ts'

const derived = `
function Order({ minQuantity, perUnitPrice }: Part) {
  const [quantity, setQuantity] = useState(minQuantity)
  const total = quantity * perUnitPrice

  return (
    <form>
      <Quantity value={quantity} onChange={setQuantity} />
      <output>{dollars(total)}</output>
    </form>
  )
}
`

export const article: Article = {
  id: 'react-state',
  question: 'What are the ways to manage state in React?',
  answer:
    'Ask who owns the value. What the server knows belongs to the router’s loaders or a query cache, what somebody may bookmark belongs in the address, and the rest in useState close to where it is used. Context and stores come after that.',
  body: (
    <>
      <p>
        Much of what is kept as state is really a calculation. On a purchase form the quantity is state; the
        total is not, since it follows from quantity and price. Calculated while rendering, it cannot fall out
        of step:
      </p>
      <Code label="A quantity that is state and a total that is calculated">{derived}</Code>
      <p>
        Begin with <code>useState</code> in the component that uses the value, and move it up to the nearest
        common parent when a second one needs it. Where values change together, keep one status (open, paying,
        paid) instead of three booleans, most of whose combinations make no sense; <code>useReducer</code>{' '}
        gathers its changes in one place.
      </p>
      <p>
        What a customer wants to share, or to find again after a reload, belongs in the address. The search,
        the brand and the page of our catalogue are query parameters, and the back button works without
        further code.
      </p>
      <p>
        A list of parts is different: it is a copy of what the server has, and somebody else may buy the stock
        while the page is open. Leave it to a tool that knows this, such as the router’s loaders, which read
        again after a change, or TanStack Query where many screens share the same data. An effect that fetches
        into <code>useState</code> leaves races, caching and failures to you.
      </p>
      <p>
        Context hands a value down without naming it at every level. Every reader renders when the value
        changes, which suits a theme and does not suit a form of forty fields. A store with selectors, such as
        Zustand or Redux Toolkit, is worth its weight when distant parts of a screen share state that changes
        often, as in a drawing program. This shop does without one.
      </p>
    </>
  ),
}
