import { unreachableMessage } from '#api/unreachable.ts'

/** Throws an Error whose message can be shown. `size` is of the file, whatever it is compressed to on its way. */
export async function loadModel(
  { hash, size }: { hash: string; size: number },
  signal: AbortSignal,
  onLoaded: (bytes: number) => void,
): Promise<ArrayBuffer> {
  const response = await fetch(`/models/${hash}.glb`, { signal }).catch(() => {
    throw new Error(unreachableMessage)
  })
  if (response.status === 404) throw new Error('This model was replaced. Reload the page to see the new one.')
  if (!response.ok || !response.body) throw new Error('The model couldn’t be loaded. Try again.')
  const file = new Uint8Array(size)
  let loaded = 0
  try {
    for (const reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read()
      if (done) break
      file.set(value, loaded)
      loaded += value.length
      onLoaded(loaded)
    }
  } catch {
    throw new Error(unreachableMessage)
  }
  return file.buffer
}
