import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { executeRows } from '#db/driver/rows.ts'
import { testShop } from '#test/shop.ts'

/** Every letter that has another case, as Unicode has it in this Node. */
function listCasedLetters() {
  const letters: string[] = []
  for (let code = 0x80; code < 0x20000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue
    const letter = String.fromCodePoint(code)
    if (/\p{Assigned}/u.test(letter) && (letter.toLowerCase() !== letter || letter.toUpperCase() !== letter))
      letters.push(letter)
  }
  return letters
}

test('fold_text reads a letter in upper and lower case alike, whatever the alphabet', async () => {
  const { db } = await testShop()
  const letters = listCasedLetters()
  const cases = letters.map((letter) => [letter, letter.toUpperCase(), letter.toLowerCase()])
  const rows = await executeRows<{ letter: string }>(
    db,
    sql`select letter from jsonb_to_recordset(${JSON.stringify(cases.map(([letter, upper, lower]) => ({ letter, upper, lower })))}::jsonb)
        as cases (letter text, upper text, lower text)
      where fold_text(letter) <> fold_text(upper) or fold_text(letter) <> fold_text(lower)`,
  )
  expect(letters.length).toBeGreaterThan(2_500)
  expect(rows.map(({ letter }) => letter)).toEqual([])
})
