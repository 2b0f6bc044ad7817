import { parentPort, workerData } from 'node:worker_threads'

// Requests a URL fifty times a second, on its own thread so that load of the benchmark does not count as latency.
// On any message it stops and posts all latencies in milliseconds.
const times: number[] = []
const requests: Promise<void>[] = []
const timer = setInterval(() => requests.push(read()), 20)

parentPort?.once('message', async () => {
  clearInterval(timer)
  await Promise.all(requests)
  parentPort?.postMessage(times)
})

async function read() {
  const start = performance.now()
  await (await fetch(workerData)).bytes()
  times.push(performance.now() - start)
}
