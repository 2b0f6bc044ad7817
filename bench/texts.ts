import { readTexts } from '#test/texts.ts'

for (const { file, line, text } of readTexts()) console.log(`${file}:${line}\t${text}`)
