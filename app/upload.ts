import { ApiError, parseJson } from '#api/client.ts'
import { customerCalls } from '#api/customer-calls.ts'
import { describeStatus, timeoutMessage, unreachableMessage } from '#api/unreachable.ts'
import { adminClient } from '#app/admin/client.ts'

const idleTimeoutMs = 30_000

interface Options {
  onProgress: (fraction: number) => void
  signal: AbortSignal
}

/** Returns the picture's URL. Throws ApiError, or the reason of an aborted `signal`. */
export async function sendPicture(file: File, { onProgress, signal }: Options): Promise<string> {
  const { url } = await adminClient.createUpload()
  signal.throwIfAborted()
  const { status, text } = await send(url, file, { onProgress, signal })
  const payload = parseJson(text)
  const uploaded = customerCalls.uploadPicture.response.safeParse(payload)
  if (status === 200 && uploaded.success) return uploaded.data.data.url

  const message = payload?.message ?? describeStatus(status)
  // These statuses concern the picture itself, so retrying the same one would not help.
  const fields = [400, 413, 415].includes(status) ? { image: [message] } : {}
  throw new ApiError(status, message, fields)
}

/** XMLHttpRequest because `fetch` reports no upload progress. */
function send(url: string, file: File, { onProgress, signal }: Options) {
  const request = new XMLHttpRequest()
  const body = new FormData()
  body.set('image', file)
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>
    function restartTimer() {
      clearTimeout(timer)
      timer = setTimeout(() => {
        reject(new ApiError(0, timeoutMessage))
        request.abort()
      }, idleTimeoutMs)
    }

    request.upload.onprogress = ({ loaded, total }) => {
      onProgress(loaded / total)
      restartTimer()
    }
    request.onload = () => resolve({ status: request.status, text: request.responseText })
    request.onerror = () => reject(new ApiError(0, unreachableMessage))
    request.onabort = () => reject(signal.reason)
    request.onloadend = () => clearTimeout(timer)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.open('POST', url)
    request.send(body)
    restartTimer()
  })
}
