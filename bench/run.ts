import { runnerImport } from 'vite'

// Through Vite, since Node alone cannot load the migrations.
await runnerImport(`./${process.argv[2]}`, { configFile: false, logLevel: 'error' })
