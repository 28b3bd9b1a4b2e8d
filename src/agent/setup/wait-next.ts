import {
  type ClientFile,
  readClientFile,
  writeClientFile,
} from '../../platform/config/client-file.ts'
import type { Environment } from '../../platform/config/env.ts'
import { WrongUsage } from '../../platform/failure.ts'
import { note } from '../../platform/terminal/terminal.ts'
import { loadHookClient, type SetupClient } from '../clients/clients.ts'
import { askYes, canAsk } from './ask.ts'

type WaitFlags = { 'wait-next'?: boolean | undefined; 'no-wait-next'?: boolean | undefined }
type AskFlags = { yes?: boolean | undefined; json?: boolean | undefined }

/**
 * The clients whose end-of-turn hook may wait for a person once these are set up. It stays so until
 * `--no-wait-next`. Throws `WrongUsage` for both at once, and if none of them can wait.
 */
export async function waitNextOf(
  file: Pick<ClientFile, 'waitNext'> | undefined,
  clients: readonly SetupClient[],
  flags: WaitFlags,
): Promise<Pick<ClientFile, 'waitNext'>> {
  const before = file?.waitNext ?? []
  const { 'wait-next': on, 'no-wait-next': off } = flags
  if (on && off) throw new WrongUsage('--wait-next and --no-wait-next cannot be given together.')
  if (!on && !off) return listOf(before)
  const names = clients.map(({ name }) => name)
  if (off) return listOf(before.filter((name) => !names.includes(name)))
  const able = await Promise.all(names.map(canWait))
  const added = names.filter((_, at) => able[at])
  if (added.length === 0)
    throw new WrongUsage(
      `--wait-next is for clients whose hook waits, and none of these has one: what you say reaches them without it.`,
    )
  return listOf([...new Set([...before, ...added])])
}

/**
 * Asks at a terminal, for each of these clients that can wait and does not yet, whether it may; Enter
 * alone is a no. Does not ask what the flags say already. Resolves to all that may.
 */
export async function askWaitNext(
  waits: Pick<ClientFile, 'waitNext'>,
  clients: readonly SetupClient[],
  { yes, json, 'wait-next': on, 'no-wait-next': off }: WaitFlags & AskFlags,
): Promise<Pick<ClientFile, 'waitNext'>> {
  if (yes || json || on || off || !canAsk()) return waits
  const before = waits.waitNext ?? []
  const able = await Promise.all(clients.map(({ name }) => canWait(name)))
  const open = clients.filter(({ name }, at) => able[at] && !before.includes(name))
  if (open.length > 0) note(WAITS)
  const added: string[] = []
  for (const { name, title } of open)
    if (await askYes(`Shall ${title} wait for you?`)) added.push(name)
  return listOf([...before, ...added])
}

const WAITS = `
When a long turn ends and nobody is at the terminal, an agent can wait for what you tell it on the phone.
Its terminal shows a running hook meanwhile; the first key there ends the wait.`

/** Forgets it for clients whose entries were removed. */
export function forgetWaitNext(env: Environment, clients: readonly SetupClient[]): void {
  const file = readClientFile(env)
  if (!file?.waitNext) return
  const names = clients.map(({ name }) => name)
  const { waitNext, ...rest } = file
  writeClientFile({ ...rest, ...listOf(waitNext.filter((name) => !names.includes(name))) }, env)
}

/** The state of it for `--check`, in a sentence; undefined where it is off. */
export function waitNextWords(env: Environment, { name }: SetupClient): string | undefined {
  if (!readClientFile(env)?.waitNext?.includes(name)) return undefined
  return 'After a long turn its hook waits for what you say next, until --no-wait-next.'
}

async function canWait(name: string): Promise<boolean> {
  return (await loadHookClient(name))?.turns?.blocks === true
}

function listOf(names: readonly string[]): Pick<ClientFile, 'waitNext'> {
  return names.length > 0 ? { waitNext: names } : {}
}
