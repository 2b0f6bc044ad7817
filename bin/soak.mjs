// Runs thousands of random interleavings of customers, shop and card provider, or of buyers who compete for the last parts, in chunks
// with their own seeds.
// npm run soak -- --test payments --runs 5000 --seed 7 --from 1000 --engine embedded
// npm run soak -- --test buyers --runs 100
import { parseArgs } from 'node:util'
import { fail, install, start } from './prepare.mjs'

const files = {
  payments: 'shop/orders/interleavings.server.test.ts',
  buyers: 'shop/orders/contention.server.test.ts',
}
const chunk = 250
const { values } = parseArgs({
  options: {
    test: { type: 'string', default: 'payments' },
    runs: { type: 'string', default: '5000' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    engine: { type: 'string', default: 'postgres' },
  },
})
const { seed, engine, test } = values
const [runs, from] = [Number(values.runs), Number(values.from)]

install()
const file = files[test]
if (!file) fail(`--test must be one of ${Object.keys(files).join(', ')}.`)
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', engine, '--reporter', 'dot', file]
for (let done = from; done < runs; done += chunk) {
  const command = `npm run soak -- --test ${test} --runs ${runs} --seed ${seed} --from ${done} --engine ${engine}`
  console.log(`\nRuns ${done + 1} to ${done + chunk} of ${runs}. To resume here: ${command}`)
  const env = { SOAK_RUNS: String(Math.min(chunk, runs - done)), SOAK_SEED: String(Number(seed) + done) }
  const { code } = await start(vitest, { env }).ended
  if (code !== 0) fail(`\nFailed in runs ${done + 1} and ${done + chunk}. To reproduce it: ${command}`)
}
console.log(`\n${runs - from} runs passed.`)
