import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import type { Context } from 'hono'
import { isDiskFull, ShopError } from '#shop/errors.ts'
import { largePicture, maxPictureBytes } from '#shop/pictures/picture.ts'

/** The picture plus the multipart overhead. */
const maxBodyBytes = maxPictureBytes + 64 * 1024
const limits = { fileSize: maxPictureBytes, files: 5, fields: 10, fieldSize: 1_024, headerPairs: 20 }

interface Upload {
  body: { image: Blob | undefined }
  removeFiles: () => Promise<void>
}

/**
 * Streams the one file of the field `image` to disk: many concurrent uploads would not fit into memory.
 * Throws 'wrong-type', 'too-large' or 'invalid', and then leaves no files.
 */
export async function receiveUpload(c: Context): Promise<Upload> {
  const type = c.req.header('content-type') ?? ''
  if (!/^multipart\/form-data *(;|$)/i.test(type))
    throw new ShopError('wrong-type', 'Send the file as multipart/form-data.')
  if (Number(c.req.header('content-length')) > maxBodyBytes) throw tooLargeError()

  const folder = await mkdtemp(join(tmpdir(), 'winged-wheels-upload-'))
  const removeFiles = () => rm(folder, { recursive: true, force: true })
  try {
    const [path, second] = await receive(c.req.raw.body ?? new Blob().stream(), type, folder)
    return { body: { image: path && !second ? await openAsBlob(path) : undefined }, removeFiles }
  } catch (error) {
    await removeFiles()
    throw error
  }
}

async function receive(body: ReadableStream<Uint8Array>, type: string, folder: string): Promise<string[]> {
  const failed = new AbortController()
  const streams: BusboyFileStream[] = []
  const saves: Promise<string>[] = []
  try {
    const form = new Busboy({ headers: { 'content-type': type }, limits })
    form.on('file', (field, file) => {
      // A truncated one emits an error, which would end the process.
      if (field !== 'image') return void file.on('error', () => {}).resume()
      const saving = save(file, join(folder, String(saves.length)))
      saving.catch((error) => failed.abort(error))
      streams.push(file)
      saves.push(saving)
    })
    await pipeline(limitBytes(body), form, { signal: failed.signal })
    return await Promise.all(saves)
  } catch (error) {
    const reason = failed.signal.aborted ? failed.signal.reason : error
    // Without an error the stream looks as if it had ended, and the saves never settle.
    for (const file of streams) file.destroy(error as Error)
    await Promise.allSettled(saves)
    if (reason instanceof ShopError || isDiskFull(reason)) throw reason
    throw new ShopError('invalid', 'The upload is incomplete or not a valid form. Try again.')
  }
}

async function save(file: BusboyFileStream, path: string) {
  await pipeline(file, createWriteStream(path))
  if (file.truncated) throw tooLargeError()
  return path
}

/** Enforces the limit for a body without a content length. */
async function* limitBytes(body: ReadableStream<Uint8Array>) {
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > maxBodyBytes) throw tooLargeError()
    yield chunk
  }
}

function tooLargeError() {
  return new ShopError('too-large', largePicture)
}
