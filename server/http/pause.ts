/** Holds requests while the server's port is closed: then nothing else keeps it from accepting the connections that wait there. */
export function createPause() {
  let held: Promise<void> | null = null
  return {
    wrap:
      <Args extends unknown[], Result>(fetch: (...args: Args) => Result) =>
      (...args: Args) =>
        held ? held.then(() => fetch(...args)) : fetch(...args),
    /** Returns the function that lets requests go on. */
    start() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => {
        held = null
        resolve()
      }
    },
  }
}
