import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { devServer } from './server/dev.ts'

// Plugin timings and ineffective dynamic imports (on the server) are expected.
const checks = { pluginTimings: false, ineffectiveDynamicImport: false }

/** Two chunks for code that nearly every page needs, instead of twenty: each costs a round trip on phones. */
const groups = [
  {
    name: 'framework',
    test: /node_modules\/(react|react-dom|react-router|scheduler|cookie|set-cookie-parser)\//,
  },
  {
    name: 'common',
    test: /\/(app\/(brand|meta)|app\/catalogue\/(filters|part-card|picture)|app\/content\/reviews|app\/layout\/logo|app\/ui\/(error-message|field|form-error|hydrated|icon|toast)|shop\/(money|orders\/quantity|parts\/(picture|price-bands|quantity-limits|stock))|api\/unreachable)\.tsx?$/,
  },
]

/** Separate path for test bank chunks: a shop with a card provider returns 404 for them. */
function chunkName({ moduleIds }: { moduleIds: string[] }) {
  const bank = moduleIds.some((id) => id.includes('/providers/payments/bank/'))
  return `assets/${bank ? 'bank/' : ''}[name]-[hash].js`
}

/** Packages that read files of their own. All others are one file with the server: thousands of files take a start a second to find. */
const notBundled = ['@electric-sql/pglite', '@node-rs/argon2', 'fontkit', 'pdfkit', 'sharp']

export default defineConfig(({ command }) => ({
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
  plugins: [devServer(), tailwindcss(), reactRouter()],
  server: {
    host: process.env.HOST ?? '127.0.0.1',
    port: Number(process.env.PORT ?? 3000),
    strictPort: true,
  },
}))
