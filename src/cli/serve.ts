import type { FolderState } from '../catalog/preview.ts'
import { EXIT, type Starters } from '../platform/command.ts'
import { Failure } from '../platform/failure.ts'
import { createLog, type Log } from '../platform/log.ts'
import { VERSION } from '../platform/program.ts'
import { readArguments } from '../platform/terminal/arguments.ts'
import { stopSignal } from '../platform/terminal/stop-signal.ts'
import { isTerminal, say, sayDrawn, showsColours } from '../platform/terminal/terminal.ts'
import { configReader } from '../settings.ts'
import { keepSnapshots } from './keep-snapshots.ts'
import { SERVE_OPTIONS } from './serve-options.ts'

// Service managers kill a process after ten seconds; this ends the process before that.
const STOP_AT_MOST_MS = 9_500

/**
 * `beckon serve`: runs until SIGTERM or SIGINT, or until its terminal is closed; a second signal ends
 * it at once.
 */
export async function serve(args: string[], starters: Starters<FolderState>): Promise<number> {
  const { watch, check, ...flags } = readArguments(args, SERVE_OPTIONS)
  if (watch !== undefined) {
    const { serveFolder } = await import('../catalog/commands/serve-watch.ts')
    return await serveFolder(watch, flags, configReader.readPreviewConfig, starters)
  }
  const config = configReader.readConfig(flags)
  const { log: format, logLevel: level } = config
  const log = createLog({ format, level, colours: showsColours(2) })
  takeWordsOfLibraries(log)
  if (check) {
    const { checkStart } = await import('./check-start.ts')
    return await checkStart(config, starters, log)
  }
  if (isTerminal(1)) {
    // Started by hand; a service gets its settings.
    const { refuseBesideService } = await import('./service/beside-service.ts')
    await refuseBesideService(config)
  }
  const early = holdWarnings(log)
  const signal = stopSignal()
  const app = await starters.startApp(config, { log: early.log }).catch((error) => {
    early.release()
    throw error
  })
  try {
    say(`Beckon ${VERSION} listens on ${app.url}`)
    // The link gets a line of its own, so that it fits a terminal and can be copied whole.
    say(app.setUpLink ? `Make the first account:\n${app.setUpLink}` : `Open ${app.baseUrl}`)
    if (app.setUpLink && isTerminal(1)) {
      const { nextSteps } = await import('./first-screen.ts')
      const { baseUrl, setUpLink } = app
      sayDrawn(nextSteps({ baseUrl, setUpLink, tlsProblem: app.tlsProblem() }))
    }
  } catch (error) {
    // A server on whose output nobody can read is still one.
    if (!(error instanceof Failure)) throw error
    log.warn(error.message)
  }
  early.release()
  const { sweepUpdates } = await import('./update/replace-program.ts')
  sweepUpdates()
  const snapshots = keepSnapshots(config, log)

  log.info('stopping', { signal: await signal })
  if (config.drainSeconds > 0) {
    app.leave()
    await Bun.sleep(config.drainSeconds * 1_000)
  }
  const late = setTimeout(() => process.exit(EXIT.failed), STOP_AT_MOST_MS)
  snapshots[Symbol.dispose]()
  await app.stop()
  clearTimeout(late)
  return EXIT.done
}

/** The PostgreSQL driver warns on `console`, but a log of JSON lines must have no other lines. */
function takeWordsOfLibraries(log: Log): void {
  console.warn = (...words: unknown[]) => log.warn(words.map(String).join(' '))
  console.error = (...words: unknown[]) => log.error(words.map(String).join(' '))
}

/**
 * Holds warnings back until `release`, so that the output of a start begins with the server's
 * address.
 */
function holdWarnings(log: Log): { log: Log; release(): void } {
  const held: Array<Parameters<Log['warn']>> = []
  let open = false
  return {
    log: { ...log, warn: (...entry) => void (open ? log.warn(...entry) : held.push(entry)) },
    release() {
      open = true
      for (const entry of held.splice(0)) log.warn(...entry)
    },
  }
}
