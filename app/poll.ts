const maxPauseMs = 30_000

/**
 * Does something again and again until it is stopped, which the answer does: with pauses that grow from `first` to half a
 * minute, in milliseconds, and at once when the browser is back online or the page is looked at again. `work` never throws.
 */
export function poll(work: () => Promise<unknown>, first = 2000): () => void {
  let pause = first
  let busy = false
  let timer = setTimeout(run, pause)
  const stopWatching = onReconnect(run)

  async function run() {
    if (busy) return
    busy = true
    clearTimeout(timer)
    await work()
    busy = false
    if (stopped) return
    pause = Math.min(pause * 2, maxPauseMs)
    timer = setTimeout(run, pause)
  }

  let stopped = false
  return () => {
    stopped = true
    clearTimeout(timer)
    stopWatching()
  }
}

/** Tells when the browser is back online, or the page is looked at again; answers how to stop. */
export function onReconnect(tell: () => void): () => void {
  const seen = () => document.visibilityState === 'visible' && tell()
  addEventListener('online', tell)
  addEventListener('focus', seen)
  document.addEventListener('visibilitychange', seen)
  return () => {
    removeEventListener('online', tell)
    removeEventListener('focus', seen)
    document.removeEventListener('visibilitychange', seen)
  }
}
