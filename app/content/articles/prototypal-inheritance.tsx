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
    'Every JavaScript object has a link to a prototype, which is another object or null. If a property isn’t on the object itself, JavaScript looks for it on the prototype, then on the prototype’s prototype. If no prototype has it, the result is undefined.',
  body: (
    <>
      <p>Any object can be the prototype of another:</p>
      <Code label="A chain that inherits from a part">{lookup}</Code>
      <p>
        <code>chain</code> has no <code>total</code> method, so JavaScript calls the one on <code>part</code>.
        Inside the method, <code>this</code> is the object before the dot, so the price is the chain’s.
        Reading a property follows the prototype chain. Writing usually doesn’t: the assignment gives{' '}
        <code>chain</code> its own <code>minQuantity</code>, which hides the inherited one. There are two
        exceptions. An inherited setter is called, and an inherited read-only property can’t be overwritten.
      </p>
      <p>
        A <code>class</code> works the same way. Its methods exist once, on <code>Part.prototype</code>, and
        every <code>new Part()</code> links to it. Each instance has its own fields. With{' '}
        <code>class Chain extends Part</code>, <code>Chain.prototype</code> links to{' '}
        <code>Part.prototype</code>. The links are live, so existing objects see methods that are added to a
        prototype later.
      </p>
      <p>
        This has some surprising effects. Objects share an array on their prototype, so pushing to it through
        one object changes it for all of them. <code>for…in</code> also lists inherited enumerable properties.
        Additions to <code>Array.prototype</code> can clash with other code and with later versions of
        JavaScript. A plain object used as a dictionary appears to contain <code>constructor</code>. A{' '}
        <code>Map</code> doesn’t.
      </p>
      <p>
        Inheritance works well for objects that share behaviour and stay in one program. It works less well
        for data that crosses a network: a part that arrives as JSON is a plain object without its class’s
        methods. That’s why parts and orders in this shop’s code are plain objects with separate functions,
        such as <code>isSoldOut(part)</code>. The only classes are error types, so that{' '}
        <code>instanceof</code> can tell them apart.
      </p>
    </>
  ),
}
