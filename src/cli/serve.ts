import type { FolderState } from '../catalog/preview.ts'
import { readConfig } from '../platform/config/config.ts'
import { VERSION } from '../platform/config/version.ts'
import { createLog } from '../platform/log.ts'
import { DATA_OPTION, readArguments } from '../platform/terminal/arguments.ts'
import { EXIT, type Starters } from '../platform/terminal/command.ts'
import { stopSignal } from '../platform/terminal/stop-signal.ts'
import { say } from '../platform/terminal/terminal.ts'

// Service managers kill a process after ten seconds; this exits before that.
const STOP_AT_MOST_MS = 9_500

/** `beckon serve`: runs until SIGTERM or SIGINT; a second signal ends it at once. */
export async function serve(args: string[], starters: Starters<FolderState>): Promise<number> {
  const { watch, ...flags } = readArguments(args, {
    ...DATA_OPTION,
    host: { type: 'string' },
    port: { type: 'string' },
    'base-url': { type: 'string' },
    watch: { type: 'string' },
  })
  if (watch !== undefined) {
    const { serveFolder } = await import('../catalog/commands/serve-watch.ts')
    return await serveFolder(watch, flags, starters)
  }
  const config = readConfig(flags)
  const log = createLog({ format: config.log, level: config.logLevel })
  const signal = stopSignal()
  const app = await starters.startApp(config, { log })
  say(`Beckon ${VERSION} listens on ${app.url}`)
  say(app.setUpLink ? `Make the first account: ${app.setUpLink}` : `Open ${app.baseUrl}`)

  log.info('stopping', { signal: await signal })
  const late = setTimeout(() => process.exit(EXIT.failed), STOP_AT_MOST_MS)
  await app.stop()
  clearTimeout(late)
  return EXIT.done
}
