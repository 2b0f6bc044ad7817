import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Requests per second, and the latency in ms that 99 of 100 stay below. Throws when a response is not 2xx. Needs wrk. */
export async function runWrk(
  url: string,
  { connections, seconds, script }: { connections: number; seconds: number; script?: string },
) {
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...(script ? ['-s', script] : [])]
  const { stdout: output } = await promisify(execFile)('wrk', [...options, url])
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(output)
  const [, p99, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(output)!
  const factor = { us: 0.001, ms: 1, s: 1_000 }[unit!]!
  return { rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)![1]), p99: Number(p99) * factor }
}

export function median(values: number[]) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
