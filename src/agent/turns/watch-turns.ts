import { setTimeout as pause } from 'node:timers/promises'
import { omitUndefined } from '../../platform/json.ts'
import { loadHookClient } from '../clients/clients.ts'
import { findProcess } from '../processes.ts'
import type { Service } from '../session/context.ts'
import { keepFile, readStateFile } from '../state/state-files.ts'
import {
  dropRecord,
  type RecordAt,
  readRecords,
  reportedPath,
  type TurnRecord,
} from '../state/turn-record.ts'
import { isRunning } from '../terminal.ts'
import { countChanged } from './count-changed.ts'
import { deliverLater } from './deliver-later.ts'
import { failureOf } from './note-turn.ts'
import { callTurn, reportTaken } from './turn-calls.ts'
import { dropLock, hasLock, takeLock } from './watcher-lock.ts'

const LOOK_MS = 1_000
const REPORT_MS = 5_000
// A client that failed tries again within this time.
const RETRIES_MS = 30_000
// The server counts a session without a word as gone after a quarter of an hour.
const HEARTBEAT_MS = 5 * 60_000
const FORGET_MS = 24 * 60 * 60_000

type Deps = { state: string; service: Service }

/** When to report the same of a record again, in milliseconds since the epoch. */
type Plans = Map<string, { of: string; at: number }>

/**
 * Reports the turns of all sessions of this machine, and hands over instructions that need no hook.
 * Ends when there is nothing to watch, and when another process does it.
 */
export async function watchTurns({ state, service }: Deps): Promise<void> {
  if (!takeLock(state)) return
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      dropLock(state)
      process.exit(0)
    })
  }
  const plans: Plans = new Map()
  using later = deliverLater(service)
  const look = async () => {
    const records = readRecords(state)
    // First, because it waits for no server.
    let isBusy = (await later.look(records)) > 0
    for (const one of records) {
      if (await report({ ...one, state, service, plans })) isBusy = true
    }
    return isBusy
  }
  while (hasLock(state)) {
    if (!(await look())) {
      // A hook that wrote a record before found this process running; later ones start another.
      dropLock(state)
      if (!(await look()) || !takeLock(state)) return
    }
    await pause(LOOK_MS)
  }
}

type About = RecordAt & { state: string; service: Service; plans: Plans }

/** Reports what is new of a record; true as long as more is to come. */
async function report(about: About): Promise<boolean> {
  const { path, service, plans } = about
  const record = asItIs(about.record, Date.now())
  // Kept, so that the next look reports the same end.
  if (record.gone && !about.record.gone) keepFile(path, JSON.stringify(record))
  await reportTaken(service, path, record, { ms: REPORT_MS })
  const { ended, overAt, beganAt, heldBy } = record
  if (heldBy !== undefined && findProcess(heldBy)) return true
  if (ended) {
    const of = `ended ${ended.at}`
    const isNew = !isReported(path, of) || plans.get(path)?.of === of
    if (isNew && isDue(plans, path, of)) await reportEnd({ ...about, record }, of)
  } else if (beganAt !== undefined && isDue(plans, path, `began ${beganAt}`)) {
    const isHeard = await callTurn(service, record, 'began', { ms: REPORT_MS })
    const at = Date.now() + (isHeard ? HEARTBEAT_MS : REPORT_MS)
    plans.set(path, { of: `began ${beganAt}`, at })
  }
  if (overAt !== undefined) {
    if (isEndDue(about, record) && Date.now() - overAt < FORGET_MS) return true
    await callTurn(service, record, 'over', { ms: REPORT_MS })
    plans.delete(path)
    dropRecord(path)
    return false
  }
  if (!ended) return beganAt !== undefined
  if (Date.now() - ended.at > FORGET_MS) dropRecord(path)
  return plans.get(path)?.of === `ended ${ended.at}`
}

/**
 * True if people may still have to be told of the end of a session that is over. Who closes a client
 * at its terminal is there; a client that was killed, or that has no terminal, leaves that open.
 */
function isEndDue({ path, plans }: About, { ended, gone, process }: TurnRecord): boolean {
  if (ended === undefined) return false
  const of = `ended ${ended.at}`
  if (plans.get(path)?.of !== of) return false
  const isHeard = isReported(path, of)
  return gone === true || process?.terminal === undefined || !isHeard
}

function isDue(plans: Plans, path: string, of: string): boolean {
  const plan = plans.get(path)
  return plan?.of !== of || plan.at <= Date.now()
}

/** A turn has failed whose client is gone, or did not get over an error. */
function asItIs(record: TurnRecord, now: number): TurnRecord {
  const { ended, overAt, trying, process } = record
  if (overAt !== undefined) return record
  if (process && !isRunning(process)) {
    const end = ended ?? failureOf(record, now)
    return { ...record, ...omitUndefined({ ended: end }), overAt: now, gone: true }
  }
  if (ended || !trying || now - trying.at < RETRIES_MS) return record
  return { ...record, ...omitUndefined({ ended: failureOf(record, trying.at) }) }
}

async function reportEnd({ path, record, service, plans }: About, of: string): Promise<void> {
  const { client: name, ended, beganAt, where } = record
  if (!ended) return
  const client = await loadHookClient(name)
  const waits = client?.turns?.blocks
  const filesChanged = beganAt === undefined ? undefined : await countChanged(where.cwd, beganAt)
  const reply = await callTurn(
    service,
    record,
    'ended',
    { ms: REPORT_MS },
    {
      door: client?.turns?.idleDelivery?.(record)?.name ?? 'none',
      ...(filesChanged === undefined ? {} : { filesChanged }),
      // It does not wait itself: the server says whether the next hook may.
      ...(waits === undefined ? {} : { waitsMs: 0, blocks: true }),
    },
  )
  if (!reply) {
    plans.set(path, { of, at: Date.now() + REPORT_MS })
    return
  }
  keepFile(reportedPath(path), of)
  if (reply.lookAgainMs === undefined) plans.delete(path)
  else plans.set(path, { of, at: Date.now() + reply.lookAgainMs })
}

function isReported(path: string, words: string): boolean {
  try {
    return readStateFile(reportedPath(path)) === words
  } catch {
    return false
  }
}
