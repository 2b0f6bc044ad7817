import { accessSync, constants } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { StartupError } from '#db/startup-error.ts'
import type { Config } from './config.ts'

/** Before the database is opened: what would otherwise be found out after migrations, or by the first upload. */
export async function checkMachine({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const folder = tmpdir()
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartupError(
      `TMPDIR: cannot write to ${folder} (${readCode(error)}). Create the folder, or use another one, such as TMPDIR=/tmp.`,
    )
  }
  await listenOnce(host, port).catch((error) => {
    throw listenError(error, { host, port })
  })
}

function listenOnce(host: string, port: number) {
  return new Promise<void>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen({ host, port }, () => server.close(() => resolve()))
  })
}

export function listenError(error: unknown, { host, port }: { host: string; port: number }): StartupError {
  const code = readCode(error)
  const problem = `cannot listen on ${host}:${port} (${code}).`
  if (code === 'EADDRINUSE')
    return new StartupError(
      `PORT: ${problem} Stop the program that uses it, or use another port, such as PORT=3001.`,
    )
  if (code === 'EACCES')
    return new StartupError(
      `PORT: ${problem} Ports below 1024 need a right of the system. Use PORT=3000 behind a proxy.`,
    )
  return new StartupError(`HOST: ${problem} Use an address of this machine, such as 127.0.0.1.`)
}

const readCode = (error: unknown) => (error as NodeJS.ErrnoException).code
