import { CallFailed, parse } from '#api/client.ts'
import { api } from '#api/contract.ts'
import { timedOut, unreachable } from '#api/unreachable.ts'
import { client } from './client.ts'

/** How long nothing may move before the shop counts as away, in milliseconds. */
const patience = 30_000

interface Options {
  /** Told how much has been sent, from 0 to 1. */
  onProgress: (part: number) => void
  signal: AbortSignal
}

/** Sends one picture and answers its address. Throws CallFailed; once `signal` is aborted, its reason. */
export async function uploadPicture(file: File, { onProgress, signal }: Options): Promise<string> {
  const { url } = await client.createUpload()
  signal.throwIfAborted()
  const { status, text } = await send(url, file, { onProgress, signal })
  const answer = parse(text)
  const uploaded = api.uploadPicture.answers.safeParse(answer)
  if (status === 200 && uploaded.success) return uploaded.data.data.url

  const message = answer?.message ?? 'Something went wrong.'
  // These say something about the picture; trying the same one again would not help.
  const fields = [400, 413, 415].includes(status) ? { image: [message] } : {}
  throw new CallFailed(status, message, fields)
}

/** `fetch` cannot tell how much has been sent. */
function send(url: string, file: File, { onProgress, signal }: Options) {
  const request = new XMLHttpRequest()
  const body = new FormData()
  body.set('image', file)
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>
    function waitOn() {
      clearTimeout(timer)
      timer = setTimeout(() => {
        reject(new CallFailed(0, timedOut))
        request.abort()
      }, patience)
    }

    request.upload.onprogress = ({ loaded, total }) => {
      onProgress(loaded / total)
      waitOn()
    }
    request.onload = () => resolve({ status: request.status, text: request.responseText })
    request.onerror = () => reject(new CallFailed(0, unreachable))
    request.onabort = () => reject(signal.reason)
    request.onloadend = () => clearTimeout(timer)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.open('POST', url)
    request.send(body)
    waitOn()
  })
}
