// Breaks one line at a time in copies of the working tree, and requires that the named test notices each.
// npm run mutants                     all
// npm run mutants -- --only races     a kind, or those with these words in their names
import { install, run } from './prepare.mjs'

install()
process.exitCode = await run(['test/mutants/run.ts', ...process.argv.slice(2)])
