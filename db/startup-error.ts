/** A configuration or environment error: printed as one line, exit code 1. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
