#!/usr/bin/env bun
import { run } from './cli/run.ts'

// The process ends by itself when nothing is left to do; only the code is set here.
process.exitCode = await run(process.argv.slice(2), {
  startApp: async (config, more) => (await import('./app.ts')).startApp(config, more),
})
