import type { Mutant } from './mutant.ts'

const security = 'server/security.ts'
const bank: Mutant['test'] = [
  'server/security.test.ts',
  'with the embedded identity and the test bank, the headers are exactly these',
]
const hosted: Mutant['test'] = ['server/security.test.ts', 'with Stripe, the headers are exactly these']

const without = (name: string, from: string): Mutant => ({ name, file: security, from, to: '', test: bank })

export const headerMutants: Mutant[] = [
  {
    name: 'scripts may use eval',
    file: security,
    from: 'scriptSrc: [NONCE, "\'strict-dynamic\'",',
    to: 'scriptSrc: [NONCE, "\'strict-dynamic\'", "\'unsafe-eval\'",',
    test: bank,
  },
  {
    name: 'inline scripts run where the nonce is not supported',
    file: security,
    from: 'scriptSrc: [NONCE,',
    to: 'scriptSrc: [NONCE, "\'unsafe-inline\'",',
    test: bank,
  },
  {
    name: 'inline styles are allowed in a build',
    file: security,
    from: ': ["\'self\'"],\n      styleSrcAttr',
    to: ': ["\'self\'", "\'unsafe-inline\'"],\n      styleSrcAttr',
    test: bank,
  },
  without('a base element may redirect links', '      baseUri: ["\'none\'"],\n'),
  without('forms may be sent anywhere', '      formAction: ["\'self\'"],\n'),
  without('the policy allows framing', '      frameAncestors: ["\'none\'"],\n'),
  without('plugins are covered by the default only', '      objectSrc: ["\'none\'"],\n'),
  {
    name: 'old browsers may frame pages of the same origin',
    file: security,
    from: "xFrameOptions: 'DENY'",
    to: "xFrameOptions: 'SAMEORIGIN'",
    test: bank,
  },
  {
    name: 'what no directive names is allowed from the shop',
    file: security,
    from: 'defaultSrc: ["\'none\'"]',
    to: 'defaultSrc: ["\'self\'"]',
    test: bank,
  },
  {
    name: 'pictures may come from anywhere',
    file: security,
    from: "imgSrc: [\"'self'\", 'data:', 'blob:',",
    to: "imgSrc: [\"'self'\", 'data:', 'blob:', 'https:',",
    test: bank,
  },
  {
    name: 'scripts may connect to any host',
    file: security,
    from: 'connectSrc: ["\'self\'",',
    to: "connectSrc: [\"'self'\", 'https:',",
    test: bank,
  },
  {
    name: 'windows of other sites keep a handle on the shop',
    file: security,
    from: "firebase ? 'same-origin-allow-popups' : 'same-origin'",
    to: "'same-origin-allow-popups'",
    test: bank,
  },
  {
    name: 'other sites learn the address that links to them',
    file: security,
    from: "firebase ? 'strict-origin-when-cross-origin' : 'no-referrer'",
    to: "'strict-origin-when-cross-origin'",
    test: bank,
  },
  {
    name: 'the card frames may come from any host',
    file: security,
    from: "frames: ['https://js.stripe.com',",
    to: "frames: ['https:', 'https://js.stripe.com',",
    test: hosted,
  },
  {
    name: 'the connections of Firebase are allowed without it',
    file: security,
    from: 'emulator ? [emulator] : real, frames: [emulator ?? `https://',
    to: 'emulator ? [emulator, ...real] : real, frames: [emulator ?? `https://',
    test: ['server/security.test.ts', 'with the Firebase emulator, its address replaces the Firebase hosts'],
  },
  {
    name: 'an opened picture is not sandboxed',
    file: 'providers/images/stored.ts',
    from: '`sandbox; ',
    to: '`',
    test: ['providers/images/stored.test.ts', 'pictures are served with their type and a sandboxing'],
  },
  {
    name: 'pictures and their errors may be framed',
    file: 'providers/images/stored.ts',
    from: "; frame-ancestors 'none'\"",
    to: '"',
    test: [
      'providers/images/stored.test.ts',
      'a missing picture gets exactly the policy that allows nothing',
    ],
  },
  {
    name: 'an error in place of a picture has no policy',
    file: 'server/providers.ts',
    from: "    c.header('Content-Security-Policy', \"default-src 'none'; base-uri 'none'; frame-ancestors 'none'\")\n",
    to: '',
    test: ['server/providers.test.ts', 'an error in place of a picture gets exactly the policy'],
  },
  {
    name: 'a private answer may be cached',
    file: 'api/server.ts',
    from: "? 'no-cache' : 'no-store'",
    to: "? 'no-cache' : 'private'",
    test: ['api/server.test.ts', 'a private response is not cacheable'],
  },
]
