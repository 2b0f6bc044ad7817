import { client } from '#app/client.ts'

/** Never keeps anybody from buying. */
export async function readWarnings(partIds: string[]) {
  const { build, warnings } = await client.checkBuild({ body: { partIds } })
  return warnings.map(({ partNumber, because }) => `${partNumber} does not fit ${build}: ${because}`)
}
