import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { devServer } from './server/dev.ts'

// How long a plugin took, and that the server has at once what a page loads when it is needed, is no news.
const checks = { pluginTimings: false, ineffectiveDynamicImport: false }

/** What nearly every page needs comes in two files instead of twenty: each costs a phone a round trip. */
const groups = [
  {
    name: 'framework',
    test: /node_modules\/(react|react-dom|react-router|react-toastify|scheduler|clsx|cookie|set-cookie-parser)\//,
  },
  {
    name: 'common',
    test: /\/(app\/(brand|meta)|app\/catalogue\/(filters|part-card|picture)|app\/content\/reviews|app\/layout\/logo|app\/ui\/(failure|field|form-failure|hydrated|icon|toast)|shop\/(money|orders\/quantity|parts\/(picture|price-bands|stock))|api\/unreachable)\.tsx?$/,
  },
]

/** Chunks of the test bank stand apart: a shop with a card provider answers their addresses with 404. */
function nameOf({ moduleIds }: { moduleIds: string[] }) {
  const bank = moduleIds.some((id) => id.includes('/providers/payments/bank/'))
  return `assets/${bank ? 'bank/' : ''}[name]-[hash].js`
}

export default defineConfig({
  // The whole server is one module graph: pages and API share one copy of shop/.
  environments: {
    client: {
      build: { rolldownOptions: { checks, output: { codeSplitting: { groups }, chunkFileNames: nameOf } } },
    },
    ssr: { build: { rollupOptions: { input: './server/app.ts', checks } } },
  },
  plugins: [devServer(), tailwindcss(), reactRouter()],
  server: {
    host: process.env.HOST ?? '127.0.0.1',
    port: Number(process.env.PORT ?? 3000),
    strictPort: true,
  },
})
