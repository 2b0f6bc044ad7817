import type { Mutant } from './mutant.ts'

const searches = 'shop/pagination.server.test.ts'
const pictures = 'providers/images/stored.test.ts'
const longTexts = 'api/long-texts.test.ts'

export const costMutants: Mutant[] = [
  {
    name: 'a user can exchange any number of ID tokens',
    file: 'api/server.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    from: 'const who = user?._id ?? (person && `${person.issuer}:${person.subject}`)',
    to: 'const who = user?._id',
    test: ['providers/identity/tokens.test.ts', 'a user can exchange 600 ID tokens an hour'],
  },
  {
    name: 'a password account makes the shop fetch photos without a limit for its network',
    file: 'providers/identity/auth.ts',
    from: 'if (person.image && !ownPictureUrl(',
    to: 'if (person.image && ownPictureUrl(',
    test: [
      'providers/identity/embedded.test.ts',
      'registration and profile update reject an invalid name or picture',
    ],
  },
  {
    name: 'the checks after a length limit run on text of any length',
    file: 'shop/fields.ts',
    from: ', abort: true })',
    to: ' })',
    test: [longTexts, 'every field rejects a long text by its length, before any slower check'],
  },
  {
    name: 'a link of any length is looked at',
    file: 'shop/fields.ts',
    from: '  if (value.length > maxUrlLength) return false\n',
    to: '',
    test: [longTexts, 'isHttps looks only at links of up to 4,000 characters'],
  },
  {
    name: 'the identity endpoints look into a body of any length',
    file: 'providers/identity/embedded.ts',
    from: 'body.length > maxBodyLength',
    to: 'body.length > 64 * maxBodyLength',
    test: [longTexts, 'the identity endpoints reject a body of more than 8,000 characters'],
  },
  {
    name: 'changes of a name or photo are not limited',
    file: 'providers/identity/rate-limits.ts',
    from: 'max: 600, seconds: 60 * minuteSeconds',
    to: 'max: 6_000, seconds: 60 * minuteSeconds',
    test: [
      'providers/identity/rate-limits.test.ts',
      'every limit of the identity endpoints is that of this table',
    ],
  },
  {
    name: 'equal words of a search are compared with every row again',
    file: 'shop/pagination.server.ts',
    from: 'new Set(q.toLowerCase().split(/\\s+/).filter(Boolean))',
    to: 'q.toLowerCase().split(/\\s+/).filter(Boolean)',
    test: [searches, 'a search reads each row’s text once, for at most eight different words'],
  },
  {
    name: 'a search compares any number of words with every row',
    file: 'shop/pagination.server.ts',
    from: '.slice(0, maxWords)',
    to: '',
    test: [searches, 'a search reads each row’s text once, for at most eight different words'],
  },
  {
    name: 'a search for parts or messages has any number of words',
    file: 'shop/search/tokenize.ts',
    from: '.slice(0, maxTokens)',
    to: '',
    test: [searches, 'a search for parts or messages has at most twelve different words'],
  },
  {
    name: 'an arithmetic-coded JPEG with a restart marker before its frame is decoded',
    file: 'providers/images/encode.ts',
    from: '    else if (marker === 0x01 || isBetween(marker, 0xd0, 0xd7)) at += 2\n',
    to: '    else if (marker === 0x01 || isBetween(marker, 0xd0, 0xd7)) return true\n',
    test: [pictures, 'a JPEG with arithmetic coding is rejected before it is decoded'],
  },
  {
    name: 'a JPEG with stray bytes before its frame is decoded',
    file: 'providers/images/encode.ts',
    from: 'if (bytes[at] !== 0xff) return false',
    to: 'if (bytes[at] !== 0xff) return true',
    test: [pictures, 'a JPEG with arithmetic coding is rejected before it is decoded'],
  },
  {
    name: 'a progressive JPEG is refused',
    file: 'providers/images/encode.ts',
    from: 'isBetween(marker, 0xc0, 0xc2)',
    to: 'isBetween(marker, 0xc0, 0xc1)',
    test: [pictures, 'a baseline or progressive JPEG is accepted'],
  },
  {
    name: 'a session keeps the User-Agent',
    file: 'providers/identity/auth.ts',
    from: 'userAgent: null',
    to: '',
    test: ['providers/identity/embedded.test.ts', 'a session keeps nothing of the browser'],
  },
  {
    name: 'each unexpected error is logged',
    file: 'telemetry/log.ts',
    from: 'if (omitted === null) return',
    to: '',
    test: ['telemetry/log.test.ts', 'an unexpected error writes at most 20 lines a minute'],
  },
  {
    name: 'each request for /readyz asks the database',
    file: 'server/health.ts',
    from: 'Date.now() - checked.at >= 1_000',
    to: 'true',
    test: ['server/health.test.ts', 'at most once a second'],
  },
  {
    name: 'an outage writes a line for each request',
    file: 'telemetry/log.ts',
    from: 'if (code) return throttles.coded(',
    to: 'if (code) return throttles.others(Math.random() + ',
    test: ['telemetry/log.test.ts', 'one line in ten seconds'],
  },
]
