import { existsSync } from 'node:fs'
import { LAST_WORDS_MAX } from '../../ask/wire/turn-fields.ts'
import { wholeEnvironment } from '../../platform/config/env.ts'
import { omitUndefined } from '../../platform/json.ts'
import { redactSecrets } from '../../platform/redact/redact.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import { SILENT, type Verdict } from '../calls/tool-call.ts'
import type { TurnEvent } from '../calls/turn-event.ts'
import { type HookContext, type SessionPlace, sessionOf } from '../session/context.ts'
import { whereOf } from '../session/refresh.ts'
import {
  handedPath,
  keepHanded,
  keepRecord,
  readHanded,
  readRecord,
  recordPath,
  type TurnRecord,
} from '../state/turn-record.ts'
import { findClientProcess, idleOf, TYPED_MS } from '../terminal.ts'
import { wakeWatcher } from './watcher-lock.ts'

/**
 * Records what the event of this hook says of the turn, and leaves the report to a process of its
 * own. At the end of a turn it waits for the next instruction, where the client may be held. Never
 * throws.
 */
export async function noteTurn(context: HookContext): Promise<Verdict> {
  const place = sessionOf(context)
  const { turn } = context.call
  if (!place || !turn || !context.service) return SILENT
  try {
    const now = Date.now()
    const before = readRecord(recordPath(place))
    noteTaken(place, turn)
    const record = recordAfter(context, turn, before, now)
    const asks = asksHere(context, record, before)
    keepRecord(place, asks ? { ...record, heldBy: process.pid } : record)
    if (asks) {
      const { holdTurn } = await import('./hold-turn.ts')
      return await holdTurn(context, place, record)
    }
    wakeWatcher(context)
    return SILENT
  } catch {
    return SILENT
  }
}

/** The event shows that the agent began with what it was told. Never throws. */
export function noteTaken(place: SessionPlace, turn: TurnEvent | undefined): void {
  const path = recordPath(place)
  if (!existsSync(handedPath(path))) return
  const handed = readHanded(path)
  if (!handed || handed.taken) return
  // Without a word of the turn it is a tool call, which only an agent at work makes.
  const isIts =
    handed.atStart ||
    turn === undefined ||
    (turn.is === 'began' && showsText(turn.prompt, handed.text)) ||
    (turn.is === 'ended' && turn.wentOn)
  if (isIts) keepHanded(path, { ...handed, taken: true })
}

/** A client that names no prompt begins with what it was handed. Lines may be broken otherwise. */
function showsText(prompt: string | undefined, text: string): boolean {
  if (prompt === undefined) return true
  return oneLine(prompt).includes(oneLine(text).slice(0, SHOWN_CHARS))
}

// Clients may cut a long prompt in what they tell their hooks.
const SHOWN_CHARS = 500

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The record with what an event says. */
function recordAfter(
  context: HookContext,
  turn: TurnEvent,
  before: TurnRecord | undefined,
  now: number,
): TurnRecord {
  const { call } = context
  const client = findClientProcess(process.ppid)
  const base = {
    client: call.client,
    sessionId: call.sessionId ?? '',
    where: whereOf(context),
    ...omitUndefined({
      process: client ?? before?.process,
      attended: attendedOf(context),
      home: homeOf(context),
    }),
  }
  const { beganAt, typed, joinedLength } = before ?? {}
  const open = omitUndefined({ beganAt, typed })
  switch (turn.is) {
    case 'began': {
      // The client hands over its own continuation while the turn goes on.
      const isNew = before?.ended !== undefined || beganAt === undefined
      const byPerson = isTyped(context, turn.prompt, client?.terminal, now)
      return {
        ...base,
        beganAt: isNew ? now : beganAt,
        typed: byPerson || (!isNew && typed === true),
      }
    }
    case 'trying': {
      const { outcome, lastWords } = turn
      const trying = { at: now, outcome, ...omitUndefined({ lastWords: excerptOf(lastWords) }) }
      return { ...base, ...open, trying }
    }
    case 'ended': {
      // Only says again that the turn has ended.
      if (turn.outcome === 'waits' && before?.ended) return { ...before, ...base }
      const whole = turn.lastWords ?? ''
      const fresh = turn.joined && turn.wentOn ? whole.slice(joinedLength ?? 0) : whole
      const lastWords = excerptOf(fresh)
      const ended = { at: now, outcome: turn.outcome, ...omitUndefined({ lastWords }) }
      return { ...base, ...open, ended, ...(turn.joined ? { joinedLength: whole.length } : {}) }
    }
    case 'over': {
      const ended = before?.ended ?? failureOf(before, now)
      return { ...base, ...open, ...omitUndefined({ ended }), overAt: now }
    }
  }
}

/** A session that ends in the middle of a turn has failed. */
export function failureOf(record: TurnRecord | undefined, now: number): TurnRecord['ended'] {
  if (record?.beganAt === undefined) return undefined
  const { outcome = 'failed', lastWords } = record.trying ?? {}
  return { at: now, outcome, ...omitUndefined({ lastWords }) }
}

function homeOf({ client }: HookContext): string | undefined {
  const name = client.turns?.home
  return (name && wholeEnvironment()[name]) || undefined
}

function attendedOf({ call }: HookContext): boolean | undefined {
  if (call.attended) return true
  return call.headless ? false : undefined
}

/** Whether a person typed this prompt just now. Our own texts, queues and other sessions do not. */
function isTyped(
  { call, state }: HookContext,
  prompt: string | undefined,
  terminal: string | undefined,
  now: number,
): boolean {
  const { client, sessionId = '' } = call
  const handed = readHanded(recordPath({ state, client, sessionId }))
  if (handed && showsText(prompt, handed.text)) return false
  const idle = idleOf(terminal, now)
  return idle.is === 'known' ? idle.ms < TYPED_MS : call.attended === true
}

/** The last sentences of a text, without secrets: it leaves the machine. */
function excerptOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const lines = text.trim().split(/\n\s*\n/)
  const last = cleanLine(redactSecrets(lines.at(-1) ?? ''))
  return cutText(last, LAST_WORDS_MAX) || undefined
}

/** Whether this hook asks for the next instruction: the server says whether it may wait for one. */
function asksHere(
  { client, call }: HookContext,
  { ended, overAt }: TurnRecord,
  before: TurnRecord | undefined,
): boolean {
  if (!client.turns?.waits?.(call)) return false
  if (!ended || overAt !== undefined || before?.heldBy === process.pid) return false
  return ended.outcome !== 'busy' && ended.outcome !== 'interrupted'
}
