const maxPauseMs = 30_000

/** Repeats `work`, which must not throw, with doubling pauses and at once on reconnect. Returns a stop function. */
export function poll(work: () => Promise<unknown>, firstPauseMs = 2000): () => void {
  let pauseMs = firstPauseMs
  let busy = false
  let timer = setTimeout(run, pauseMs)
  const unsubscribe = onReconnect(run)

  async function run() {
    if (busy) return
    busy = true
    clearTimeout(timer)
    await work()
    busy = false
    if (stopped) return
    pauseMs = Math.min(pauseMs * 2, maxPauseMs)
    timer = setTimeout(run, pauseMs)
  }

  let stopped = false
  return () => {
    stopped = true
    clearTimeout(timer)
    unsubscribe()
  }
}

export function onReconnect(listener: () => void): () => void {
  const onVisible = () => document.visibilityState === 'visible' && listener()
  addEventListener('online', listener)
  addEventListener('focus', onVisible)
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('focus', onVisible)
    document.removeEventListener('visibilitychange', onVisible)
  }
}
