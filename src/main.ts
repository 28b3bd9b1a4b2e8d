#!/usr/bin/env bun
import { run } from './cli/run.ts'
import type { Watching } from './platform/cli/command.ts'
import type { Config, PreviewConfig } from './platform/config/config.ts'
import type { Log } from './platform/log.ts'

/** Opens the port before the rest of the house is loaded; what knocks meanwhile is let in then. */
async function startApp(config: Config, { log }: { log: Log }) {
  const { openListener } = await import('./platform/http/listener.ts')
  const listener = openListener({ ...config, log })
  // One turn: whoever only asks whether the process is alive need not wait for the rest.
  await Bun.sleep(0)
  const house = await import('./app.ts')
  return house.startApp(config, { log, listener })
}

/** Shows the files of a catalog; there is no database behind it. */
async function startPreview(config: PreviewConfig, watching: Watching) {
  const { openListener } = await import('./platform/http/listener.ts')
  const listener = openListener({ ...config, log: watching.log })
  const house = await import('./preview.ts')
  return house.startPreview(config, { ...watching, listener })
}

// The process ends by itself when nothing is left to do; only the code is set here.
process.exitCode = await run(process.argv.slice(2), { startApp, startPreview })
