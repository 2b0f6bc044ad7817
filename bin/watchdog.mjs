import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Tells a process that hangs from one that is slow or waits, once per second. A hanging embedded database uses the processor without
 * reaching the next step or writing a file. CPU time is what a busy machine does not stretch.
 */
export function createWatchdog({ startingSeconds = 120, runningSeconds = 60, silentTicks = 600 } = {}) {
  let ready = false
  let cpuAtProgress = 0
  let cpuSeconds = 0
  let ticksSinceMessage = 0
  let files = ''
  return {
    /** Accepts 'alive', 'ready' or a step of the start. */
    receive(message) {
      ready ||= message === 'ready'
      ticksSinceMessage = 0
      // While starting, a process that only waits is alive, and so may be one that hangs.
      if (ready || message !== 'alive') cpuAtProgress = cpuSeconds
    },
    /** Returns whether the process hangs. `currentFiles` changes whenever the database writes. */
    tick(currentCpuSeconds, currentFiles) {
      cpuSeconds = currentCpuSeconds
      ticksSinceMessage += 1
      if (currentFiles !== files) {
        files = currentFiles
        ticksSinceMessage = 0
        cpuAtProgress = cpuSeconds
      }
      const limit = ready ? runningSeconds : startingSeconds
      return cpuSeconds - cpuAtProgress >= limit || ticksSinceMessage >= silentTicks
    },
  }
}

/** CPU seconds of a process. Where the system does not tell, the time since it was started stands in. */
export function cpuSecondsOf(pid, elapsedSeconds) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop().split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return elapsedSeconds
  }
}

/** Changes when a file in the folder is written. */
export function stateOfFiles(folder) {
  let state = ''
  try {
    for (const entry of readdirSync(folder, { recursive: true })) {
      const { size, mtimeMs } = statSync(join(folder, entry))
      state += `${size} ${mtimeMs} `
    }
  } catch {
    // The folder does not exist yet, or a file was deleted meanwhile.
  }
  return state
}
