import { existsSync, realpathSync } from 'node:fs'
import { basename } from 'node:path'
import type { HookCall, PathTouch, Verdict } from '../calls/tool-call.ts'
import { candidatesOf } from '../paths/candidates.ts'
import type { HookContext } from '../session/context.ts'
import { sessionOf } from '../session/context.ts'
import { ownCommandRefused, ownFileRefused } from '../session/reasons.ts'
import { readingsOf, touchedBy } from './touched.ts'

const DATABASE = /^beckon\.db(-wal|-shm|-journal)?$/i

/**
 * Refuses commands of Beckon that only the person may run, when an agent's tool call contains one,
 * with or without a scope (docs/hooks.md). Undefined for everything else.
 */
export async function refuseOwnCommand(context: HookContext): Promise<Verdict | undefined> {
  const [command] = (await readingsOf(context.call)).flatMap(({ ours }) => ours)
  if (command === undefined) return undefined
  await tell(context, command)
  return { is: 'deny', reason: ownCommandRefused(command) }
}

/** Files of Beckon itself: its settings, its state, its program, and the data of a server. */
export async function refuseOwnFile(context: HookContext): Promise<Verdict | undefined> {
  const path = await ownFileIn(context)
  if (path === undefined) return undefined
  await tell(context, path)
  return { is: 'deny', reason: ownFileRefused(path) }
}

async function tell(context: HookContext, what: string): Promise<void> {
  const place = sessionOf(context)
  if (place) (await import('./tell-person.ts')).tellGuarded(context, place, what)
}

async function ownFileIn({ call, own }: HookContext): Promise<string | undefined> {
  const { touches, mentions } = await touchedBy(call)
  const folders = own.folders.map(real)
  const files = own.files.map(real)
  for (const touch of touches) {
    const at = absoluteOf(touch.path, call)
    if (isDatabase(at)) return touch.path
    if (touch.touch === 'read') continue
    if (files.includes(at) || folders.some((folder) => isTouched(folder, at, touch)))
      return touch.path
  }
  return mentions.find(
    (path) => DATABASE.test(basename(path)) && isDatabase(absoluteOf(path, call)),
  )
}

function isTouched(folder: string, at: string, { goes }: PathTouch): boolean {
  return at === folder || at.startsWith(`${folder}/`) || (goes === true && isAbove(at, folder))
}

function isAbove(at: string, folder: string): boolean {
  return folder.startsWith(at === '/' ? at : `${at}/`)
}

/** Anybody who reads it can sign in as anybody. */
function isDatabase(path: string): boolean {
  return DATABASE.test(basename(path)) && existsSync(path)
}

function absoluteOf(path: string, { cwd, roots }: HookCall): string {
  return candidatesOf(path, { cwd, roots }).absolute
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
