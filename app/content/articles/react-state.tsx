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
  question: 'How can you manage state in React?',
  answer:
    'First ask who owns the value. Server data belongs in the router’s loaders or a query cache. Anything a user may want to bookmark belongs in the URL. Keep the rest in useState, close to where it’s used, and turn to context or a store only when that isn’t enough.',
  body: (
    <>
      <p>
        Many values that are stored as state can be calculated instead. On a purchase form, the quantity is
        state. The total isn’t, because it follows from the quantity and the price. If you calculate it while
        rendering, it’s always up to date:
      </p>
      <Code label="A quantity that is state and a total that is calculated">{derived}</Code>
      <p>
        Start with <code>useState</code> in the component that uses the value. If another component needs it,
        move it up to their closest common parent. When several values change together, use one status (open,
        paying, paid) instead of three booleans that allow impossible combinations. <code>useReducer</code>{' '}
        keeps all its changes in one place.
      </p>
      <p>
        Anything a customer wants to share, or find again after a reload, belongs in the URL. In our
        catalogue, the search, the brand and the page number are query parameters, so the back button works
        without extra code.
      </p>
      <p>
        A list of parts is different. It’s a copy of data on the server, and someone else may buy the stock
        while the page is open. Use a tool that handles this, such as the router’s loaders, which reload after
        a change, or TanStack Query if many screens share the same data. If you fetch in an effect and store
        the result with <code>useState</code>, you have to handle race conditions, caching and errors
        yourself.
      </p>
      <p>
        Context passes a value down without a prop at every level. Every component that reads it re-renders
        when the value changes. That’s fine for a theme, but not for a form with 40 fields. A store with
        selectors, such as Zustand or Redux Toolkit, is worth adding when distant parts of a screen share
        state that changes often, as in a drawing app. This shop doesn’t need one.
      </p>
    </>
  ),
}
