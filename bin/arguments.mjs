// Must run on Node 20, like prepare.mjs.
import { parseArgs } from 'node:util'

const text = { type: 'string' }
const flag = { type: 'boolean' }

/** `words` is how many there may be besides the options; `isRight` checks what is given. */
const commands = {
  start: {
    usage: 'npm start',
    what: 'Installs and builds what is missing, and serves the shop. .env.example explains the settings.',
  },
  dev: { usage: 'npm run dev', what: 'Serves the shop and reloads it when a source changes.' },
  test: {
    usage: 'npm test [-- PATH … "TITLE"]; npm run test:all',
    what: 'Checks format, lint and types, builds, and runs the unit and API tests and one browser journey per role; or the tests of these folders and files, or with these words in their titles. test:all runs everything.',
    options: { all: flag },
    words: [0, Infinity],
  },
  'test:quick': {
    usage: 'npm run test:quick',
    what: 'Checks format, lint and types, and runs the tests of what has changed.',
  },
  'test:browsers': {
    usage: 'npm run test:browsers',
    what: 'Runs the main journey, and what once failed there, in Firefox and WebKit.',
  },
  'test:firebase': {
    usage: 'npm run test:firebase',
    what: 'Runs the tests of signing in with Google’s Firebase emulator, which it downloads.',
  },
  fix: { usage: 'npm run fix', what: 'Formats the sources and mends what lint can mend.' },
  soak: {
    usage:
      'npm run soak -- [--test payments|buyers] [--runs 5000] [--from 0] [--seed NUMBER] [--engine postgres|embedded]',
    what: 'Runs random interleavings of customers, shop and card provider, or of buyers who compete for the last parts.',
    options: { test: text, runs: text, from: text, seed: text, engine: text },
    isRight: ({ values: { test = 'payments', engine = 'postgres', ...numbers } }) =>
      ['payments', 'buyers'].includes(test) &&
      ['postgres', 'embedded'].includes(engine) &&
      Object.values(numbers).every((number) => /^\d{1,9}$/.test(number)),
  },
  mutants: {
    usage: 'npm run mutants [-- --only WORDS]',
    what: 'Breaks one line at a time in copies of the sources, and requires that the named test notices each. WORDS: a kind, or a part of a name.',
    options: { only: text },
  },
  bench: {
    usage: 'npm run bench [-- postgres]; npm run bench:NAME, lighthouse, screens or upgrades [-- WORD …]',
    what: 'Measures a production build. WORD: how many rows, or which screens.',
    words: [1, Infinity],
  },
  texts: { usage: 'npm run texts', what: 'Lists the texts that people read.' },
  studio: {
    usage: 'npm run studio [-- --draft|--models|--drawing] [PART …]',
    what: 'Renders the photographs of the demo’s parts, or writes their models, or the assembly drawing.',
    options: { draft: flag, models: flag, drawing: flag },
    words: [0, Infinity],
  },
  backup: {
    usage: 'npm run backup [-- FILE]',
    what: 'Writes the database, the pictures and the shop’s secret to FILE, or to a new file in BACKUP_DIR, also while the shop runs.',
    options: { scheduled: flag },
    words: [0, 1],
  },
  restore: {
    usage: 'npm run restore -- FILE',
    what: 'Restores a backup into an empty database: DATABASE_URL or, without it, a new DATA_DIR.',
    words: [1, 1],
  },
  'move-data': {
    usage: 'npm run move-data -- --to postgres://user:password@host/database',
    what: 'Copies the data of DATA_DIR, whose shop must be stopped, to an empty database on a Postgres server.',
    options: { to: text },
    isRight: ({ values: { to = '' } }) => /^postgres(ql)?:/.test(to) && URL.canParse(to),
  },
  'grant-admin': {
    usage: 'npm run grant-admin -- someone@example.com [--confirm-address someone@example.com]',
    what: 'Makes a member an admin. An address that its owner has not confirmed must be repeated.',
    options: { 'confirm-address': text },
    words: [1, 1],
  },
  'remove-demo': {
    usage: 'npm run remove-demo [-- --confirm]',
    what: 'Says what it would delete from a demo’s database, and deletes it with --confirm.',
    options: { confirm: flag },
  },
  'renew-secret': {
    usage: 'npm run renew-secret -- --confirm',
    what: 'Replaces the shop’s secret. Everybody has to sign in again.',
    options: { confirm: flag },
  },
  'retry-emails': {
    usage: 'npm run retry-emails',
    what: 'Has the shop send the emails again that it has given up.',
  },
}

/**
 * Those of the command line, as `parseArgs` returns them. Ends the process for `--help`, and for what the command does not know: call it
 * before anything else is done.
 */
export function readArguments(command) {
  const { usage, what, options = {}, words: [min, max] = [0, 0], isRight = () => true } = commands[command]
  const lines = `Usage: ${usage}\n${what}`
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    console.log(lines)
    process.exit(0)
  }
  try {
    const parsed = parseArgs({ options, allowPositionals: true })
    const count = parsed.positionals.length
    if (count >= min && count <= max && isRight(parsed)) return parsed
    console.error(lines)
  } catch (error) {
    // What follows is how to pass a file whose name begins with a dash.
    console.error(`${error.message.split('. ')[0]}.\n${lines}`)
  }
  process.exit(2)
}
