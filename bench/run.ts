import { runnerImport } from 'vite'

// A measurement of the sources as the build reads them: Node alone cannot collect the migrations.
await runnerImport(`./${process.argv[2]}`, { configFile: false, logLevel: 'error' })
