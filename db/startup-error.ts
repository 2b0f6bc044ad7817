/** A reason not to start that the person at the keyboard can do something about: printed as one line, exit code 1. */
export class StartupError extends Error {
  override readonly name = 'CannotStart'
}
