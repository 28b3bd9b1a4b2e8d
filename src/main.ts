#!/usr/bin/env bun
import type { FolderState } from './catalog/preview.ts'
import type { PreviewCommandOptions } from './platform/command.ts'
import type { Config, PreviewConfig } from './platform/config/config.ts'
import type { Listener } from './platform/http/listener.ts'
import type { Log } from './platform/log.ts'
import { isExecutable } from './platform/program.ts'

/** Opens the port before the rest is loaded. Requests that arrive early wait for the app. */
async function startApp(config: Config, options: { log: Log; jobs?: boolean }) {
  const { openListener } = await import('./platform/http/listener.ts')
  const listener = openListener({ ...config, log: options.log })
  // One turn of the event loop first, so that a check that only asks whether the process is alive
  // is answered now.
  await Bun.sleep(0)
  const app = await loadOrClose(listener, () => import('./app.ts'))
  const started = await app.startApp(config, { ...options, listener, onLoaded: shrink })
  // Bun does not load a source file again after an error, so that a server without a free file
  // descriptor at its first request would refuse all later ones, too.
  if (!isExecutable()) {
    await started.routes().catch(async (error) => {
      await started.stop()
      throw error
    })
  }
  return started
}

/** Loads what answers at the port; if that fails, closes the port, which would keep the process. */
async function loadOrClose<T>(listener: Listener, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    await listener.stop(0)
    throw error
  }
}

/**
 * Loading leaves a few MiB of garbage, which a server without callers would otherwise keep. This
 * also throws away compiled code, so the app leaves it to a process that does nothing but serve.
 */
function shrink(): void {
  Bun.gc(true)
  Bun.shrink()
}

/** Shows the files of a catalog, without a database. */
async function startPreview(config: PreviewConfig, options: PreviewCommandOptions<FolderState>) {
  const { openListener } = await import('./platform/http/listener.ts')
  const listener = openListener({ ...config, log: options.log })
  const load = () =>
    Promise.all([
      import('./catalog/preview.ts'),
      import('./ask/rest/openapi.ts'),
      import('./catalog/openapi/description.ts'),
    ])
  const [preview, { openApi }, { catalogOpenApi }] = await loadOrClose(listener, load)
  const describe = (baseUrl: string) => openApi([], baseUrl, catalogOpenApi())
  return preview.startPreview(config, { ...options, listener, describe })
}

const STARTERS = { startApp, startPreview }

/**
 * Runs a command without loading the table of all commands, which takes a while; undefined for
 * commands that are not here, and for calls that only the table understands.
 */
async function runAlone(name: string | undefined, args: string[]): Promise<number | undefined> {
  // Every shell command of a session waits for `jail`.
  if (name === 'jail') return (await import('./agent/commands/jail.ts')).jailPlainly(args)
  // Everybody who restarts a server waits for `serve`.
  if (name !== 'serve' || args.some((arg) => HELP.has(arg))) return undefined
  return (await import('./cli/serve.ts')).serve(args, STARTERS)
}

async function runCommand(argv: string[]): Promise<number> {
  const [name, ...args] = argv
  try {
    const code = await runAlone(name, args)
    if (code !== undefined) return code
  } catch (error) {
    const { reportError } = await import('./cli/report-error.ts')
    return reportError(error, name ?? '', args)
  }
  const { run } = await import('./cli/run.ts')
  return run(argv, STARTERS)
}

const HELP = new Set(['--help', '-h'])

// The process ends by itself when nothing is left to do; this only sets the code.
process.exitCode = await runCommand(process.argv.slice(2))
