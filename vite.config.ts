import { join, normalize, sep } from 'node:path'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import subsetFont from 'subset-font'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { devServer } from './server/dev.ts'

// Plugin timings and ineffective dynamic imports (on the server) are expected.
const checks = { pluginTimings: false, ineffectiveDynamicImport: false }

/** Pages for which nobody signs in or fills in a form: they load none of the code that only other pages need, like Zod. */
const visitorPages =
  /\/app\/(root|content\/(home|all-reviews|blogs|portfolio|terms|privacy|returns)|catalogue\/(catalogue|part-page))\.tsx$/

type Graph = Pick<Rolldown.PluginContext, 'getModuleInfo'>

/** Whether one of `visitorPages` imports a module, also through other modules. */
function isForVisitors(id: string, graph: Graph, seen = new Set<string>()): boolean {
  if (visitorPages.test(id)) return true
  if (seen.has(id)) return false
  seen.add(id)
  const importers = graph.getModuleInfo(id)?.importers ?? []
  return importers.some((importer) => isForVisitors(importer, graph, seen))
}

/** The name of a chunk for modules that no visitor's page needs. React Hook Form's 45 KB are a chunk of their own. */
const dashboardChunk = (name: string) => (id: string, graph: Graph) =>
  id.includes('react-hook-form') || isForVisitors(id, graph) ? null : name

/** A few chunks for code that many pages need, instead of forty: each costs a round trip on phones. Visitors' pages need the first two. */
const groups = [
  {
    name: 'framework',
    priority: 4,
    // Zod, which other chunks have, reads what `jitless-zod.ts` sets when it loads.
    test: /node_modules\/(react|react-dom|react-router|scheduler|cookie|set-cookie-parser)\/|\/app\/jitless-zod\.ts$/,
  },
  {
    name: (id: string, graph: Graph) => (isForVisitors(id, graph) ? 'common' : null),
    priority: 3,
    minShareCount: 3,
  },
  // For who turns a part.
  { name: 'three', priority: 5, test: /node_modules\/(three|meshoptimizer)\// },
  // What most of the other pages share, then what some do.
  { name: dashboardChunk('account'), priority: 2, minShareCount: 24 },
  { name: dashboardChunk('shared'), priority: 1, minShareCount: 6 },
]

const bankFolder = join(import.meta.dirname, 'bank') + sep

/** Separate path for test bank chunks: a shop with a card provider returns 404 for them. */
function chunkName({ moduleIds }: { moduleIds: string[] }) {
  const bank = moduleIds.some((id) => normalize(id).startsWith(bankFolder))
  return `assets/${bank ? 'bank/' : ''}[name]-[hash].js`
}

/** Only loaded when traces are sent; prom-client and better-auth need the API, too. */
const openTelemetry = ['context-async-hooks', 'exporter-trace-otlp-http', 'resources', 'sdk-trace'].map(
  (name) => `@opentelemetry/${name}`,
)

/** Packages that read files of their own. All others are one file with the server: thousands of files take a start a second to find. */
const notBundled = [
  '@electric-sql/pglite',
  '@node-rs/argon2',
  'fontkit',
  'harfbuzzjs',
  'pdfkit',
  'sharp',
  ...openTelemetry,
]

/** Of the weights and widths of Archivo, those that the styles use, which are half of its bytes. */
const variationAxes = { wght: { min: 400, max: 700 }, wdth: { min: 100, max: 122 } }
/** Its `unicode-range`. */
const latin = [
  ...[[0x20, 0xff], [0x131], [0x152, 0x153], [0x2bb, 0x2bc], [0x2c6], [0x2da], [0x2dc], [0x304], [0x308]],
  ...[[0x329], [0x2000, 0x206f], [0x20ac], [0x2122], [0x2191], [0x2193], [0x2212], [0x2215], [0xfffd]],
] as const

function subsetArchivo(): Plugin {
  const codes = latin.flatMap(([first, last = first]) =>
    Array.from({ length: last! - first! + 1 }, (_, i) => first! + i),
  )
  return {
    name: 'subset-archivo',
    apply: 'build',
    async generateBundle(_, bundle) {
      for (const asset of Object.values(bundle)) {
        if (
          asset.type !== 'asset' ||
          !/archivo-latin-standard-normal[^/]{0,100}\.woff2$/.test(asset.fileName)
        )
          continue
        const font = Buffer.from(asset.source)
        asset.source = await subsetFont(font, String.fromCodePoint(...codes), {
          targetFormat: 'woff2',
          variationAxes,
        })
      }
    },
  }
}

/** In JavaScript: the package's own is WebAssembly, which the security policy of pages refuses, and the package doesn't export this one. */
const meshoptDecoder = join(import.meta.dirname, 'node_modules/meshoptimizer/meshopt_decoder_reference.js')

export default defineConfig(({ command }) => ({
  resolve: { alias: { 'meshoptimizer/decoder': meshoptDecoder } },
  // One module graph for the server: pages and API share one copy of shop/.
  environments: {
    client: {
      build: {
        rolldownOptions: { checks, output: { codeSplitting: { groups }, chunkFileNames: chunkName } },
      },
    },
    ssr: {
      resolve: command === 'build' ? { noExternal: true, external: notBundled } : {},
      build: { rollupOptions: { input: './server/app.ts', checks } },
    },
  },
  plugins: [devServer(), tailwindcss(), reactRouter(), subsetArchivo()],
  server: {
    host: process.env.HOST ?? '127.0.0.1',
    port: Number(process.env.PORT ?? 3000),
    strictPort: true,
  },
}))
