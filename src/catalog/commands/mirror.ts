import { systemClock } from '../../platform/clock.ts'
import { EXIT } from '../../platform/command.ts'
import type { Config } from '../../platform/config/config.ts'
import type { ReadConfig } from '../../platform/config/config-reader.ts'
import type { OpenDb } from '../../platform/db/database.ts'
import { openDatabase, openKnownDatabase } from '../../platform/db/open-database.ts'
import { addressForLinks } from '../../platform/db/server-address.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { inSeconds } from '../../platform/http/limits.ts'
import { createGuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { DATA_OPTION, readArguments } from '../../platform/terminal/arguments.ts'
import { progress } from '../../platform/terminal/progress.ts'
import { isTerminal, note, say } from '../../platform/terminal/terminal.ts'
import { mirrorReport } from '../mirror/mirror-feeds.ts'
import { mirrorAgent, type Waiting } from '../mirror/origin.ts'
import { dropMirror, readMirror } from '../mirror/store.ts'
import { type SyncAsk, type Synced, syncMirror } from '../mirror/sync.ts'

const OPTIONS = {
  ...DATA_OPTION,
  from: { type: 'string' },
  key: { type: 'string' },
  'allow-stale': { type: 'boolean' },
  stop: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

/**
 * `beckon catalog mirror`: fetches another catalog, which `serve` then shows instead of its own and
 * keeps up to date; `--stop` ends that. Exits 1 if it was refused and 5 if it could not be reached;
 * what is served stays unchanged.
 */
export async function mirror(args: string[], readConfig: ReadConfig): Promise<number> {
  const { data, from, key, stop, json, ...options } = readArguments(args, OPTIONS)
  const config = readConfig({ data })
  const { allowPrivateHosts } = config
  const { baseUrl } = addressForLinks(config)
  const ask: SyncAsk = {
    ...(from === undefined ? {} : { source: sourceOf(from) }),
    ...(key === undefined ? {} : { key: keyOf(key) }),
    ...(options['allow-stale'] ? { allowStale: true } : {}),
  }
  await using db = await open(config, { from, stop })
  if (stop) return await end(db, json ?? false)
  await requireSource(db, ask)
  const fetching = progress('files', isTerminal(2))
  const { fetch } = createGuardedFetch({ allowPrivateHosts })
  const result = await syncMirror(
    {
      db,
      fetch,
      clock: systemClock,
      random: Math.random,
      userAgent: mirrorAgent(baseUrl),
      onProgress: fetching.step,
      onWait: tellWait,
    },
    ask,
  )
  fetching.end()
  if (json) say(JSON.stringify(reportOf(result)))
  else tell(result)
  if (result.outcome === 'unreachable') return EXIT.unreachable
  return result.outcome === 'refused' ? EXIT.failed : EXIT.done
}

/** A mirror may come before the first start; without a source nothing is made. */
async function open(
  config: Config,
  { from, stop }: { from: string | undefined; stop: boolean | undefined },
): Promise<OpenDb> {
  if (from !== undefined) return await openDatabase(config)
  try {
    return await openKnownDatabase(config)
  } catch (error) {
    if (stop || !(error instanceof Failure) || error.code !== 'not_found') throw error
    throw new WrongUsage(`--from is missing, and nothing is mirrored yet: ${error.message}`)
  }
}

function sourceOf(from: string): string {
  const url = URL.parse(from)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new WrongUsage(
      `--from must be the address of a catalog, such as https://catalog.example.com, not "${from}".`,
    )
  }
  return url.href.replace(/\/+$/, '')
}

function keyOf(key: string): string {
  if (/^[A-Za-z0-9_-]{43}$/.test(key)) return key
  throw new WrongUsage(`--key must be the kid of a key, 43 characters, not "${key}".`)
}

async function requireSource(db: OpenDb, ask: SyncAsk): Promise<void> {
  if (ask.source !== undefined || (await readMirror(db.read))) return
  throw new WrongUsage('--from is missing: this catalog is not a mirror yet.')
}

async function end(db: OpenDb, json: boolean): Promise<number> {
  const stopped = await db.write((tx) => dropMirror(tx))
  if (!stopped) throw new Failure('not_found', 'This catalog is not a mirror.')
  if (json) say(JSON.stringify({ stopped }))
  else say('The mirror has ended. A running server shows its own catalog in a moment.')
  return EXIT.done
}

function reportOf({ outcome, refusal, why, state, fetched }: Synced) {
  return {
    outcome,
    ...(refusal ? { refusal } : {}),
    ...(why ? { why } : {}),
    fetched,
    mirror: state?.manifest ? mirrorReport(state, systemClock.now()) : null,
  }
}

/** A source that makes its first manifest answers 503 for minutes. */
function tellWait({ path, ms, waitedMs, reason }: Waiting): void {
  const cause = reason ? `: "${reason}"` : '.'
  const waited = waitedMs > 0 ? ` ${inSeconds(Math.round(waitedMs / 1000))} waited so far.` : ''
  note(
    `The source asks to wait for ${path}${cause} Asking again in ${inSeconds(Math.round(ms / 1000))}.${waited}`,
  )
}

const ANOTHER_KEY =
  'Ask the people of that catalog, by a way other than its web site, for the right key; --key KID takes it.'

function tell({ outcome, refusal, why, state, fetched }: Synced): void {
  const { files, requests, bytes } = fetched
  const cost = `${files} files, ${(bytes / 1024).toFixed(0)} KiB in ${requests} requests`
  if (outcome === 'unchanged') say(`Nothing has changed since manifest ${state?.sequence}.`)
  else if (outcome === 'updated' && state) {
    say(`Mirrors ${state.source}: manifest ${state.sequence}, signed with ${state.kid}. ${cost}.`)
    if (state.expiresAt <= systemClock.now()) note('It has expired, and its readers are told so.')
    if (!state.previous) note('A running server shows it in a moment, and asks again every hour.')
  } else {
    note(why ?? '')
    if (refusal === 'key') note(ANOTHER_KEY)
    const suffix = files > 0 ? ` ${cost} came and are kept; the next run goes on from there.` : ''
    note(
      `${outcome === 'refused' ? 'Refused' : 'Not reached'}: the served catalog stays unchanged.${suffix}`,
    )
  }
}
