import { StartupError } from '#db/startup-error.ts'
import { settingNames } from './settings.ts'

/** A misspelt name would be ignored: without PUBLIC_URL, a live shop is a demo. */
export function refuseMisspeltNames(names: string[]): void {
  for (const name of names) {
    if (settingNames.includes(name)) continue
    const meant = settingNames.find((setting) => isClose(name, setting))
    if (meant) throw new StartupError(`${name}: there is no such setting. Did you mean ${meant}?`)
  }
}

/** In a short name, only swapped letters: HOME, PATH and PORTS belong to others. */
function isClose(name: string, setting: string) {
  const differences = countDifferences(name.toUpperCase(), setting)
  if (setting.length < 8) return differences === 1 && sortLetters(name) === sortLetters(setting)
  const isCut = name.includes('_') && setting.startsWith(`${name}_`)
  return isCut || differences <= (setting.length < 10 ? 1 : 2)
}

const sortLetters = (text: string) => [...text].sort().join('')

/** The optimal string alignment distance: letters that are missing, added, replaced, or swapped with the next. */
function countDifferences(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Number.POSITIVE_INFINITY
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      if (isSwapped) row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1)
    }
    beforeLast = last
    last = row
  }
  return last.at(-1)!
}
