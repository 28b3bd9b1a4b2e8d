import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TurnOutcome } from '../../ask/wire/turn-fields.ts'
import type { ClientProcess } from '../terminal.ts'
import { fileName, keepFile, readStateFile } from './state-files.ts'

/** What hooks remember of the turn of a session, for the process that reports it. */
export type TurnRecord = {
  client: string
  sessionId: string
  /** Where it works, and who works there, as the server names it. */
  where: { cwd: string; repoKey: string; branch?: string; agentName: string }
  process?: ClientProcess
  /** The folder of the client's own settings, where its environment names one. */
  home?: string
  /** Whether the client says that somebody is at it. */
  attended?: boolean
  /** When the turn began, in milliseconds since the epoch; absent: nobody saw it. */
  beganAt?: number
  /** Somebody typed the prompt at the terminal. */
  typed?: boolean
  /** How long the joined text of the turns of this prompt is. */
  joinedLength?: number
  /** A request failed at `at`, and the client tries again. */
  trying?: { at: number; outcome: 'failed' | 'rate_limited'; lastWords?: string }
  ended?: { at: number; outcome: TurnOutcome; lastWords?: string }
  /** When the session ended. */
  overAt?: number
  /** It ended without a word: its client was killed. */
  gone?: true
  /** The process of the hook that waits for an instruction and reports this end itself. */
  heldBy?: number
}

/** An instruction that was handed to the client; `taken` once an event showed that it began. */
export type HandedInstruction = {
  id: string
  text: string
  taken?: true
  /** It came with the start of the session: whatever the session does next, it has it. */
  atStart?: true
}

/** The session of a record, and the folder of what hooks remember. */
type SessionPlace = { state: string; client: string; sessionId: string }

const FOLDER = 'turns'
const RECORD = '.turn'
const HANDED = '.handed'
const REPORTED = '.reported'

export function recordPath({ state, client, sessionId }: SessionPlace): string {
  return join(state, FOLDER, `${fileName(client, sessionId)}${RECORD}`)
}

/** Reads the record at a path; undefined if the file is missing or unreadable. Never throws. */
export function readRecord(path: string): TurnRecord | undefined {
  return readJson<TurnRecord>(path)
}

/** Throws if it cannot be written. */
export function keepRecord(place: SessionPlace, record: TurnRecord): void {
  keepFile(recordPath(place), JSON.stringify(record))
}

/** A record, and where it is. */
export type RecordAt = { path: string; record: TurnRecord }

/** All records of this machine. Never throws. */
export function readRecords(state: string): RecordAt[] {
  return recordPaths(state).flatMap((path) => {
    const record = readRecord(path)
    return record ? [{ path, record }] : []
  })
}

function recordPaths(state: string): string[] {
  try {
    const folder = join(state, FOLDER)
    return readdirSync(folder)
      .filter((name) => name.endsWith(RECORD))
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** The path beside a record for the instruction that was handed over. */
export function handedPath(record: string): string {
  return record.slice(0, -RECORD.length) + HANDED
}

export function readHanded(record: string): HandedInstruction | undefined {
  return readJson<HandedInstruction>(handedPath(record))
}

export function keepHanded(record: string, handed: HandedInstruction): void {
  keepFile(handedPath(record), JSON.stringify(handed))
}

/** What was last reported of a record: the same words for the same report. */
export function reportedPath(record: string): string {
  return record.slice(0, -RECORD.length) + REPORTED
}

/** Removes everything about a session that is over. Never throws. */
export function dropRecord(record: string): void {
  for (const path of [record, handedPath(record), reportedPath(record)])
    rmSync(path, { force: true })
}

function readJson<T>(path: string): T | undefined {
  try {
    const text = readStateFile(path)
    return text === undefined ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}
