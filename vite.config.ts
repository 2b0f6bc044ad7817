import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { devServer } from './server/dev.ts'

export default defineConfig({
  // The whole server is one module graph: pages and API share one copy of shop/.
  environments: { ssr: { build: { rollupOptions: { input: './server/app.ts' } } } },
  plugins: [devServer(), tailwindcss(), reactRouter()],
  server: { port: 3000 },
})
