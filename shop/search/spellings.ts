// biome-ignore format: a table
const spellings = [
  ['tire', 'tyre'], ['color', 'colour'], ['gray', 'grey'], ['aluminum', 'aluminium'], ['fiber', 'fibre'],
  ['center', 'centre'], ['mold', 'mould'], ['anodiz', 'anodis'],
] as const

/** The word, and how it is spelled on the other side of the Atlantic. */
export function listSpellings(word: string): string[] {
  const others = spellings
    .flatMap(([american, british]) => [[american, british] as const, [british, american] as const])
    .filter(([one]) => word.startsWith(one))
    .map(([one, other]) => other + word.slice(one.length))
  return [word, ...others]
}

/** Words that mean nothing by themselves, as Postgres's English dictionary has them: what is typed may become one of these. */
const stopWords =
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its
  itself they them their theirs themselves what which who whom this that these those am is are was were be been being have has had
  having do does did doing a an the and but if or because as until while of at by for with about against between into through during
  before after above below to from up down in out on off over under again further then once here there when where why how all any both
  each few more most other some such no nor not only own same so than too very s t can will just don should now`.split(
    /\s+/,
  )

export function beginsStopWord(word: string) {
  return stopWords.some((stopWord) => stopWord.startsWith(word))
}
