import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { devServer } from './server/dev.ts'

export default defineConfig({
  // The whole server is one module graph: pages and API share one copy of shop/.
  // What a page loads only when it is needed, the server has at once: no reason to warn.
  environments: {
    ssr: {
      build: { rollupOptions: { input: './server/app.ts', checks: { ineffectiveDynamicImport: false } } },
    },
  },
  plugins: [devServer(), tailwindcss(), reactRouter()],
  server: {
    host: process.env.HOST ?? '127.0.0.1',
    port: Number(process.env.PORT ?? 3000),
    strictPort: true,
  },
})
