import { client } from '#app/client.ts'
import type { BuildItem } from '#shop/fit/build.ts'

/** With the first name that is free. */
export async function duplicateBuild(buildId: string) {
  const [{ name, items }, builds] = await Promise.all([
    client.readBuild({ params: { buildId } }),
    client.listBuilds(),
  ])
  const taken = new Set(builds.map((build) => build.name.toLowerCase()))
  const names = builds.map((_, i) => `${name.slice(0, 70)} copy${i === 0 ? '' : ` ${i + 1}`}`)
  const free = names.find((one) => !taken.has(one.toLowerCase())) ?? `${name.slice(0, 60)} copy ${Date.now()}`
  await client.saveBuild({ body: { name: free, items: items.map(itemReference), chosen: false } })
}

/** A part of ours keeps its place, whatever its number becomes. */
export function itemReference({ partId, text }: Pick<BuildItem, 'partId' | 'text'>) {
  return partId ?? text
}
