import type { Mutant } from './mutant.ts'

const cache = 'server/response-cache.ts'
const addresses = 'server/cached-addresses.ts'
const stored = 'server/stored-response.ts'
const cacheTest = (title: string): Mutant['test'] => ['server/response-cache.test.ts', title]
const addressTest = (title: string): Mutant['test'] => ['server/cached-addresses.test.ts', title]
const memoryTest = (title: string): Mutant['test'] => ['server/memory.test.ts', title]
const rendered = 'app/rendered-pages.server.ts'
const renderedTest = (title: string): Mutant['test'] => ['app/rendered-pages.server.test.ts', title]
const changeTest = (title: string): Mutant['test'] => ['db/changes.test.ts', title]

/** What visitors see is believed from memory where it must not be. */
export const memoryMutants: Mutant[] = [
  {
    name: 'a page shows what another request of its address has read',
    file: rendered,
    from: 'JSON.stringify(data)',
    to: 'JSON.stringify((data as unknown[])[0])',
    test: renderedTest('a page is rendered once for the same data'),
  },
  {
    name: 'a page has the nonce of an earlier response',
    file: rendered,
    from: 'return join(page, nonce)',
    to: "return join(page, 'n1')",
    test: renderedTest('a page is rendered once for the same data'),
  },
  {
    name: 'an incomplete page is kept',
    file: rendered,
    from: 'if (key && isComplete)',
    to: 'if (key)',
    test: renderedTest('a page with an error, or one that is incomplete'),
  },
  {
    name: 'a card in memory keeps the stock of before an order',
    file: 'app/markup.server.ts',
    from: 'JSON.stringify(props)',
    to: "''",
    test: ['app/markup.server.test.ts', 'a card is rendered once for each state of its part'],
  },
  {
    name: 'a part’s page keeps the stock of before an order',
    file: cache,
    from: 'if (partId) for (const key of keysOfPart(partId)) entries.delete(key)',
    to: '',
    test: cacheTest('a part’s own page and call show each change of its stock at once'),
  },
  {
    name: 'a changed price stays in memory',
    file: cache,
    from: "if (changes.some(({ kind }) => kind === 'content')) return entries.clear()",
    to: '',
    test: cacheTest('a change of anything but stock is shown by every address at once'),
  },
  {
    name: 'what was rendered before a change is kept after it',
    file: cache,
    from: 'if (entries.peek(key) === entry) keep(entries, key, entry, response, last)',
    to: 'keep(entries, key, entry, response, last)',
    test: cacheTest('what was rendered before a change is not kept after it'),
  },
  {
    name: 'a refresh that began before a change is kept after it',
    file: cache,
    from: 'if (entries.peek(address.key) === current) keep(entries, address.key, next, response, current)',
    to: 'keep(entries, address.key, next, response, current)',
    test: cacheTest('a refresh that began before a change is not kept after it'),
  },
  {
    name: 'lists show old stock for ten seconds',
    file: cache,
    from: 'isCurrent ? maxAgeMs : entry.maxLagMs',
    to: 'isCurrent ? maxAgeMs : maxAgeMs',
    test: cacheTest('a list shows changed stock after twenty times'),
  },
  {
    name: 'a request waits for what is rendered since before a change',
    file: 'server/rendering-starts.ts',
    from: 'if (byId.get(id) === promise) byId.delete(id)',
    to: '',
    test: memoryTest('a request after a change does not wait'),
  },
  {
    name: 'errors are kept for everybody',
    file: cache,
    from: 'else if (response.isOk)',
    to: 'else',
    test: cacheTest('errors, and responses that set a cookie, are not kept'),
  },
  {
    name: 'memory is believed while the other processes are not heard',
    file: cache,
    from: 'if (!entry || !isComplete()) return null',
    to: 'if (!entry) return null',
    test: cacheTest('nothing is taken from memory while changes of other processes may be missed'),
  },
  {
    name: 'invented queries fill the memory',
    file: addresses,
    from: "url === filtersUrl({ ...filters, q: '', brand: [], category: [] })",
    to: 'Boolean(filters)',
    test: addressTest(
      'pages of one visitor, searches and addresses that only a client would invent are not kept',
    ),
  },
  {
    name: 'visitors get the menu of signed-in users',
    file: addresses,
    from: "isSignedIn && 'signed-in=yes'",
    to: 'false',
    test: addressTest('a page depends on the cookies of the theme and the menu alone, an API call on none'),
  },
  {
    name: 'a client without Brotli gets it',
    file: stored,
    from: 'if (found && Number(found[1] ?? 1) > 0) return encoding',
    to: 'return encoding',
    test: memoryTest('a page from memory has the headers and body of the rendered one, in each encoding'),
  },
  {
    name: 'any inline script runs on a page from memory',
    file: stored,
    from: '["\'self\'", ...new Set(hashes)]',
    to: '["\'self\'", "\'unsafe-inline\'"]',
    test: memoryTest('the policy of a page from memory allows its own inline scripts by hash'),
  },
  {
    name: 'changes are reported before they are committed',
    file: 'db/changes.ts',
    from: "if (status === 'I') report()",
    to: 'if (status) report()',
    test: changeTest('a transaction reports its changes when it is committed, not before'),
  },
]
