const maxSegments = 20

/** Whether a page may have this path. React Router would log one that it cannot decode, and take seconds over thousands of segments. */
export function isPagePath(path: string): boolean {
  if (path.split('/', maxSegments + 2).length > maxSegments + 1) return false
  try {
    return Boolean(decodeURIComponent(path))
  } catch {
    return false
  }
}
