// The embedded engine on a thread of its own. Runs as it is, also for a built shop: imports by path, and only packages (engine-connection.ts).
import { parentPort, workerData } from 'node:worker_threads'
import { readAnswer, startEngine } from './engine.ts'

const engine = await startEngine(workerData)
parentPort!.on('message', async (message: Uint8Array | 'reset' | 'close') => {
  if (message === 'close') {
    await engine.close()
    process.exit()
  }
  if (message === 'reset') {
    await engine.exec(workerData.reset)
    parentPort!.postMessage(null)
    return
  }
  const answer = await readAnswer(engine, message)
  parentPort!.postMessage(answer, [answer.buffer])
})
parentPort!.postMessage(null)
