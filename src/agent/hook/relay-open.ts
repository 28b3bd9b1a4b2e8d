import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { HookCall } from '../calls/tool-call.ts'
import type { HookContext, SessionPlace } from '../session/context.ts'
import { withdraw } from '../session/server.ts'
import { fileName, keepFile, ownFolder, readStateFile } from '../state/state-files.ts'
import { reportOutcome } from './report-outcome.ts'
import { callDigest } from './spool.ts'

/** Why a question is withdrawn, as the person with the phone reads it. */
export const ANSWERED_HERE = 'Answered at the terminal.'

// By then a question is over, whatever became of the hook that asked it.
const FORGET_MS = 15 * 60_000
const WITHDRAW_MS = 1_000

/** A note of a waiting hook for hooks that run meanwhile. */
type Open = { tool: string; call: string; toolUseId?: string }

/** The mark of one question that a hook waits for. */
export type OpenMark = {
  /** Stores the id of the question; false if the terminal has decided the call meanwhile. */
  isAsked(id: string): boolean
  /** False once the call was decided at the terminal. */
  isOpen(): boolean
  close(): void
}

/** Marks, in advance, that the phone is asked about this call. Throws when the mark cannot be stored. */
export function markOpen(
  place: SessionPlace,
  call: Pick<HookCall, 'toolName' | 'toolInput'>,
  toolUseId: string | undefined,
): OpenMark {
  const folder = folderOf(place)
  sweep(folder)
  const path = join(folder, `${crypto.randomUUID()}${MARK}`)
  const tool = call.toolName ?? ''
  const open: Open = { tool, call: callDigest(tool, call.toolInput) }
  if (toolUseId !== undefined) open.toolUseId = toolUseId
  keepFile(path, JSON.stringify(open))
  const isOpen = () => existsSync(path)
  const marker = questionFileOf(path)
  return {
    isOpen,
    isAsked(id) {
      try {
        // A separate file: whoever removes the mark looks for it afterwards, so that one of the two
        // always notices, and nobody reads half of it.
        keepFile(marker, id)
      } catch {}
      const still = isOpen()
      if (!still) rmSync(marker, { force: true })
      return still
    },
    close() {
      rmSync(path, { force: true })
      rmSync(marker, { force: true })
    },
  }
}

/**
 * The client has gone on, so whatever it asked was decided at the terminal. After a tool, the
 * question about this call is withdrawn and its end is reported; after anything else, the questions
 * of the whole session are withdrawn. Never throws.
 */
export async function withdrawAnswered(context: HookContext): Promise<void> {
  const { service, call, state } = context
  const { sessionId, client } = call
  if (!service || sessionId === undefined) return
  const ofTool = call.event === 'after_tool' || call.event === 'tool_failed'
  const folder = folderOf({ state, client, sessionId })
  const over = openMarks(folder).filter(({ open }) => !ofTool || isAbout(open, call))
  const ids = over.flatMap(({ path }) => {
    rmSync(path, { force: true })
    return takeQuestionIds(questionFileOf(path))
  })
  const limits = { ms: Math.min(WITHDRAW_MS, context.left()) }
  const withdrawals = ids.map((id) => withdraw(service, id, limits, ANSWERED_HERE))
  await Promise.all([...withdrawals, ofTool ? reportOutcome(context) : undefined])
}

// After these tools ran, their input contains the answer; only one of them asks at a time.
const CHANGES_ITS_INPUT = new Set(['AskUserQuestion', 'ExitPlanMode'])

function isAbout(open: Open, { toolName = '', toolInput, toolUseId }: HookCall): boolean {
  if (open.toolUseId !== undefined && toolUseId !== undefined) return open.toolUseId === toolUseId
  if (open.tool !== toolName) return false
  return CHANGES_ITS_INPUT.has(toolName) || open.call === callDigest(toolName, toolInput)
}

const MARK = '.json'
const QUESTION_SUFFIX = '.asked'

/** The file with the id of the question once it is asked. */
function questionFileOf(mark: string): string {
  return mark.slice(0, -MARK.length) + QUESTION_SUFFIX
}

function takeQuestionIds(path: string): string[] {
  try {
    const id = readStateFile(path)
    rmSync(path, { force: true })
    return id ? [id] : []
  } catch {
    return []
  }
}

function openMarks(folder: string): { path: string; open: Open }[] {
  return names(folder, [MARK]).flatMap((name) => {
    const path = join(folder, name)
    try {
      return [{ path, open: JSON.parse(readStateFile(path) ?? '') as Open }]
    } catch {
      return []
    }
  })
}

function names(folder: string, endings: readonly string[]): string[] {
  try {
    return readdirSync(folder).filter((name) => endings.some((ending) => name.endsWith(ending)))
  } catch {
    return []
  }
}

function sweep(folder: string): void {
  ownFolder(folder)
  for (const name of names(folder, [MARK, QUESTION_SUFFIX])) {
    const path = join(folder, name)
    const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (Date.now() - at > FORGET_MS) rmSync(path, { force: true })
  }
}

function folderOf({ state, client, sessionId }: SessionPlace): string {
  return join(state, 'open', fileName(client, sessionId))
}
