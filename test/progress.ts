import type { Reporter, TestSpecification } from 'vitest/node'

/** Says every tenth of the way how far the unit tests are; failures are printed by vitest's own reporter. */
// A class, since vitest constructs it.
export default function Progress(): Reporter {
  let files = 0
  let done = 0
  let tests = 0
  let tenth = 0
  return {
    onTestRunStart(specifications: readonly TestSpecification[]) {
      files = specifications.length
    },
    onTestModuleEnd(module) {
      done += 1
      tests += [...module.children.allTests()].length
      const reached = Math.floor((10 * done) / files)
      if (reached === tenth) return
      tenth = reached
      console.log(`   Unit and API: ${tests} tests in ${done} of ${files} files`)
    },
  }
}
