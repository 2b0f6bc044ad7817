import { readArguments } from './arguments.mjs'
import { fail, install, start } from './prepare.mjs'

const files = {
  payments: 'shop/orders/interleavings.server.test.ts',
  buyers: 'shop/orders/place/contention.server.test.ts',
}
const chunk = 250
const {
  test = 'payments',
  runs: wantedRuns = '5000',
  from: firstRun = '0',
  seed = String(Date.now() % 1_000_000),
  engine = 'postgres',
} = readArguments('soak').values
const [runs, from, file] = [Number(wantedRuns), Number(firstRun), files[test]]

install()
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', engine, '--reporter', 'dot', file]
for (let done = from; done < runs; done += chunk) {
  const command = `npm run soak -- --test ${test} --runs ${runs} --seed ${seed} --from ${done} --engine ${engine}`
  console.log(`\nRuns ${done + 1} to ${done + chunk} of ${runs}. To resume here: ${command}`)
  const env = { SOAK_RUNS: String(Math.min(chunk, runs - done)), SOAK_SEED: String(Number(seed) + done) }
  const { code } = await start(vitest, { env }).ended
  if (code !== 0) fail(`\nFailed in runs ${done + 1} and ${done + chunk}. To reproduce it: ${command}`)
}
console.log(`\n${runs - from} runs passed.`)
