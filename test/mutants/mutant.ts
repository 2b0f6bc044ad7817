/** A one-line break, and the test that must notice it. */
export interface Mutant {
  /** What the shop would do wrong. */
  name: string
  file: string
  /** Occurs exactly once in the file. */
  from: string
  to: string
  /** Words of the title, as they stand in the test file. */
  test: [file: string, title: string]
}
