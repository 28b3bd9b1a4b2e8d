import { basename, join } from 'node:path'
import { wholeEnvironment } from '../../platform/config/env.ts'
import { restartWords } from '../../platform/program.ts'
import { SILENT, type Verdict } from '../calls/tool-call.ts'
import { commandLine } from '../client-files/program.ts'
import type { HookClient } from '../clients/client.ts'
import { type HookContext, sessionOf } from '../session/context.ts'
import { findScope } from '../session/kept-scope.ts'
import { keepFile, readStateFile } from '../state/state-files.ts'

/**
 * Returns true if the commands of this client are started in the scope by the hook, which replaces
 * them.
 */
export function replacesCommands({ client, call }: Pick<HookContext, 'client' | 'call'>): boolean {
  if (client.withCommands === undefined || process.platform !== 'linux') return false
  if (client.takesCommands && !client.takesCommands(call)) return false
  return !client.hasRules?.(call, wholeEnvironment())
}

/**
 * The call with each command of it started in the scope of its session. Silent if no scope holds, or
 * if the client could not take it. Never throws.
 */
export async function startInScope(context: HookContext): Promise<Verdict> {
  try {
    const { call } = context
    const place = sessionOf(context)
    if (!place || call.command === undefined || !replacesCommands(context)) return SILENT
    const state = findScope(place, Date.now())
    if (state.is === 'none' || (state.is === 'kept' && !state.kept.contract)) return SILENT
    const input = await withStarter(context, place.sessionId)
    return input === undefined ? SILENT : { is: 'replace', input }
  } catch {
    return SILENT
  }
}

/**
 * Returns true if the hook can replace the command of this call. Throws if the starter cannot be
 * written.
 */
export async function canReplace(context: HookContext): Promise<boolean> {
  const { call } = context
  if (call.command === undefined || !replacesCommands(context)) return false
  return (await withStarter(context, 'any')) !== undefined
}

async function withStarter({ call, client, state }: HookContext, sessionId: string) {
  const starter = starterPath(state, client.name)
  await keepStarter(starter, client.name)
  const shell = client.startsBash ? 'bash' : loginShell()
  return client.withCommands?.(call, (command) =>
    commandLine(['sh', starter, sessionId, shell, command]),
  )
}

/** Clients start commands with the shell of the user if it is one of these. */
function loginShell(): string {
  return basename(wholeEnvironment().SHELL ?? '') === 'zsh' ? 'zsh' : 'bash'
}

function starterPath(state: string, client: string): string {
  return join(state, `start-${client}`)
}

/** Written anew when it differs: this program may have moved. */
async function keepStarter(path: string, client: string): Promise<void> {
  const { sessionStarter } = await import('../client-files/entries.ts')
  const { setupPlace } = await import('../client-files/client-setup.ts')
  const [command = '', ...args] = restartWords()
  const place = setupPlace(wholeEnvironment(), undefined)
  const text = sessionStarter({ program: { command, args }, place }, client)
  if (readStateFile(path) !== text) keepFile(path, text)
}

/**
 * The input of a hook with the commands as the model wrote them: clients report a replaced command
 * as it was replaced.
 */
export function withOwnCommands(input: unknown, client: Pick<HookClient, 'name'>, state: string) {
  const begin = `${commandLine(['sh', starterPath(state, client.name)])} `
  return mapTexts(input, (text) => (text.startsWith(begin) ? (ownCommand(text) ?? text) : text))
}

const LINE = /^sh (?:'(?:[^']|'\\'')*'|\S+) (?:'(?:[^']|'\\'')*'|\S+) (?:bash|zsh) /

function ownCommand(line: string): string | undefined {
  const begin = LINE.exec(line)?.[0]
  if (begin === undefined) return undefined
  const word = line.slice(begin.length).trimEnd()
  const command = word.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word
  // More than the one word is not ours.
  return commandLine([command]) === word ? command : undefined
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, map))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, map)]))
}
