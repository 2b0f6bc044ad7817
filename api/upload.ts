import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import type { Context } from 'hono'
import { isDiskFull, ShopError } from '#shop/errors.ts'
import { largePicture, maxPictureBytes } from '#shop/parts/picture.ts'

/** A picture, and the form that it comes in. */
const mostBytes = maxPictureBytes + 64 * 1024
const limits = { fileSize: maxPictureBytes, files: 5, fields: 10, fieldSize: 1_024, headerPairs: 20 }

interface Upload {
  body: { image: Blob | undefined }
  /** Nothing is left of the upload from then on. */
  forget: () => Promise<void>
}

/**
 * Takes in a form with one picture in its field `image`. It goes to the disk as it arrives: many large ones at once would
 * not fit into memory. Throws 'wrong-type', 'too-large' and 'invalid' for what is no such form, and leaves nothing of it.
 */
export async function receiveUpload(c: Context): Promise<Upload> {
  const type = c.req.header('content-type') ?? ''
  if (!/^multipart\/form-data *(;|$)/i.test(type))
    throw new ShopError('wrong-type', 'Please send multipart/form-data.')
  if (Number(c.req.header('content-length')) > mostBytes) throw tooLarge()

  const folder = await mkdtemp(join(tmpdir(), 'winged-wheels-upload-'))
  const forget = () => rm(folder, { recursive: true, force: true })
  try {
    const [path, second] = await receive(c.req.raw.body ?? new Blob().stream(), type, folder)
    return { body: { image: path && !second ? await openAsBlob(path) : undefined }, forget }
  } catch (error) {
    await forget()
    throw error
  }
}

/** Answers where the files of the field `image` are. */
async function receive(body: ReadableStream<Uint8Array>, type: string, folder: string): Promise<string[]> {
  const failed = new AbortController()
  const arriving: BusboyFileStream[] = []
  const kept: Promise<string>[] = []
  try {
    const form = new Busboy({ headers: { 'content-type': type }, limits })
    form.on('file', (field, file) => {
      if (field !== 'image') return void file.resume()
      const keeping = keep(file, join(folder, String(kept.length)))
      keeping.catch((error) => failed.abort(error))
      arriving.push(file)
      kept.push(keeping)
    })
    await pipeline(counted(body), form, { signal: failed.signal })
    return await Promise.all(kept)
  } catch (error) {
    const reason = failed.signal.aborted ? failed.signal.reason : error
    // With the reason: one that is destroyed without any looks as if it had ended, and is waited for.
    for (const file of arriving) file.destroy(error as Error)
    await Promise.allSettled(kept)
    if (reason instanceof ShopError || isDiskFull(reason)) throw reason
    throw new ShopError('invalid', 'That is not a valid form, or it did not arrive as a whole.')
  }
}

async function keep(file: BusboyFileStream, path: string) {
  await pipeline(file, createWriteStream(path))
  if (file.truncated) throw tooLarge()
  return path
}

/** What its sender does not say the length of may be of any. */
async function* counted(body: ReadableStream<Uint8Array>) {
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > mostBytes) throw tooLarge()
    yield chunk
  }
}

function tooLarge() {
  return new ShopError('too-large', largePicture)
}
