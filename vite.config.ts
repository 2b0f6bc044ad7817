import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { devServer } from './server/dev.ts'

// How long a plugin took, and that the server has at once what a page loads when it is needed, is no news.
const checks = { pluginTimings: false, ineffectiveDynamicImport: false }

export default defineConfig({
  // The whole server is one module graph: pages and API share one copy of shop/.
  environments: {
    client: { build: { rollupOptions: { checks } } },
    ssr: { build: { rollupOptions: { input: './server/app.ts', checks } } },
  },
  plugins: [devServer(), tailwindcss(), reactRouter()],
  server: {
    host: process.env.HOST ?? '127.0.0.1',
    port: Number(process.env.PORT ?? 3000),
    strictPort: true,
  },
})
