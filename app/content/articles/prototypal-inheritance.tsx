import { Code } from '#app/content/code.tsx'
import type { Article } from './article.ts'

const lookup = `
const part = {
  minQuantity: 1,
  total(quantity) {
    return quantity * this.price
  },
}
const chain = Object.create(part)
chain.price = 38

chain.total(24) // 912
Object.hasOwn(chain, 'total') // false

chain.minQuantity = 12
part.minQuantity // still 1
`

export const article: Article = {
  id: 'prototypal-inheritance',
  question: 'How does prototypal inheritance work?',
  answer:
    'Every JavaScript object has a link to another object, its prototype, or to null. A property that the object does not have itself is looked for on the prototype, then on the prototype’s prototype, until it is found or the chain ends and the answer is undefined.',
  body: (
    <>
      <p>Any object can be the prototype of another:</p>
      <Code label="A chain that inherits from a part">{lookup}</Code>
      <p>
        <code>chain</code> has no <code>total</code>, so the one of <code>part</code> is called. Inside it{' '}
        <code>this</code> is the object before the dot, wherever the method was found; the price is therefore
        the chain’s. Reading follows the links, writing as a rule does not: the assignment gives{' '}
        <code>chain</code> a <code>minQuantity</code> of its own, which hides the inherited one. The
        exceptions are an inherited setter, which is called, and an inherited read-only property, which cannot
        be assigned over.
      </p>
      <p>
        A <code>class</code> uses the same links. Its methods exist once, on <code>Part.prototype</code>, to
        which every <code>new Part()</code> is linked; fields are each instance’s own. With{' '}
        <code>class Chain extends Part</code>, <code>Chain.prototype</code> is linked to{' '}
        <code>Part.prototype</code>. The links are live, so a method added to a prototype later is found on
        objects that exist already.
      </p>
      <p>
        Some surprises follow. An array on a prototype is one array, and what is pushed through one object
        shows in all. <code>for…in</code> also lists what is inherited and enumerable. Additions to{' '}
        <code>Array.prototype</code> collide with other code and with later versions of the language. An
        object used as a dictionary seems to contain <code>constructor</code>; a <code>Map</code> does not.
      </p>
      <p>
        Inheritance suits objects that share behaviour and stay in one program. It suits data that travels
        less: a part that arrives as JSON is a plain object and has none of its class’s methods. In this
        shop’s code parts and orders are therefore plain objects with functions beside them, such as{' '}
        <code>isSoldOut(part)</code>, and the few classes are errors, which <code>instanceof</code> tells
        apart.
      </p>
    </>
  ),
}
