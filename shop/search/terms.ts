import { beginsStopWord, listSpellings } from './spellings.ts'
import { type SearchedPhrase, singular } from './synonym.ts'
import type { CutWord } from './words.server.ts'

/** Matches a part with a word that begins with one of `beginnings`, or is one of `wholes`. */
export interface Term {
  /** As typed, to look for synonyms and to correct it; empty for one of several words. */
  word: string
  beginnings: string[]
  wholes: string[]
  /** Parts without it match, too, but below those with it. */
  light: boolean
}

/** Each is searched for by itself; further ones are ignored. */
const maxTerms = 12

/** Of the words that belong together, cut_words() joins so many. */
const maxJoined = 6

/** Parts must match each term that is not light. */
export function buildTerms(words: CutWord[], synonyms: SearchedPhrase[]): Term[] {
  const groups = groupGlued(words)
  const terms = groups.flatMap((group, i) =>
    group.length === 1 ? toTerm(group[0]!, groups[i - 1]) : joinTerms(group),
  )
  const all = addSynonyms(addJoined(groups, terms), synonyms)
  const different = [...new Map(all.map((term) => [JSON.stringify(term), term])).values()]
  return withoutOnlyLight(lightenLast(different).slice(0, maxTerms))
}

/** `12s` and `31.8` are cut into words that are searched for as one. */
function groupGlued(words: CutWord[]): CutWord[][] {
  const groups: CutWord[][] = []
  for (const [i, word] of words.entries()) {
    if (words[i - 1]?.joint === 'glued') groups.at(-1)!.push(word)
    else groups.push([word])
  }
  return groups
}

function toTerm({ word, stem, light }: CutWord, before: CutWord[] | undefined): Term {
  return { word, beginnings: listSpellings(word), wholes: [stem, ...spellSpeeds(word, before)], light }
}

/** `11 speed` is also written 11sp and 11s. */
function spellSpeeds(word: string, before: CutWord[] | undefined) {
  const number = before?.length === 1 ? before[0]!.word : ''
  return /^speeds?$/.test(word) && /^\d+$/.test(number) ? ['s', 'sp', 'spd'].map((unit) => number + unit) : []
}

function joinTerms(group: CutWord[]): Term[] {
  return Array.from({ length: Math.ceil(group.length / maxJoined) }, (_, i) => {
    const joined = joinWords(group.slice(i * maxJoined, (i + 1) * maxJoined))
    return {
      word: '',
      beginnings: [joined, ...writtenOtherwise(joined)],
      wholes: wheelSize(joined),
      light: false,
    }
  })
}

const joinWords = (words: CutWord[]) =>
  words.map(({ word, glue }, i) => (i < words.length - 1 ? word + glue : word)).join('')

/** Units that are left out, and how speeds are written. */
function writtenOtherwise(joined: string): string[] {
  const [, measure] = /^([\d.x]*\d)(?:mm|c)$/.exec(joined) ?? []
  const [, speeds] = /^(\d+)(?:s|sp|spd)$/.exec(joined) ?? []
  return [...(measure ? [measure] : []), ...(speeds ? [`${speeds}s`] : [])]
}

/** A `29er` has 29-inch wheels. */
function wheelSize(joined: string): string[] {
  const [, size] = /^(\d\d)ers?$/.exec(joined) ?? []
  return size ? [size] : []
}

/** What is written with signs between, such as e-bike, may be one word. */
function addJoined(groups: CutWord[][], terms: Term[]): Term[] {
  if (terms.length !== groups.length) return terms
  const added = terms.map((term) => ({ ...term }))
  for (let start = 0; start < groups.length; start++) {
    let end = start
    while (end - start < maxJoined - 1 && groups[end]!.length === 1 && groups[end]![0]!.joint === 'joined')
      end++
    if (end === start) continue
    const joined = joinWords(groups.slice(start, end + 1).flat())
    for (const term of added.slice(start, end + 1)) term.beginnings = [...term.beginnings, joined]
    start = end
  }
  return added
}

/** The longest phrase first. */
function addSynonyms(terms: Term[], synonyms: SearchedPhrase[]): Term[] {
  const longest = synonyms.toSorted((one, other) => other.phrase.length - one.phrase.length)
  const added: Term[] = []
  for (let i = 0; i < terms.length; ) {
    const synonym = longest.find(({ phrase }) => startsWithPhrase(terms.slice(i), phrase))
    if (synonym)
      added.push(
        ...synonym.terms.map((words) => ({ word: words[0]!, beginnings: words, wholes: [], light: false })),
      )
    else added.push(terms[i]!)
    i += synonym ? synonym.phrase.split(' ').length : 1
  }
  return added
}

function startsWithPhrase(terms: Term[], phrase: string) {
  return phrase.split(' ').every((word, i) => singular(terms[i]?.word ?? '') === word)
}

/** The last word may become one that means little: results stay while it is typed. */
function lightenLast(terms: Term[]): Term[] {
  const last = terms.at(-1)
  if (!last || last.word === '' || !beginsStopWord(last.word)) return terms
  return [...terms.slice(0, -1), { ...last, light: true }]
}

/** Light words count when there is nothing else. */
function withoutOnlyLight(terms: Term[]): Term[] {
  return terms.some(({ light }) => !light) ? terms : terms.map((term) => ({ ...term, light: false }))
}
