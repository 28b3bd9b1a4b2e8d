import {
  type ClientFile,
  readClientFile,
  writeClientFile,
} from '../../platform/config/client-file.ts'
import type { Environment } from '../../platform/config/env.ts'
import { WrongUsage } from '../../platform/failure.ts'
import { loadHookClient, type SetupClient } from '../clients/clients.ts'

type WaitFlags = { 'wait-next'?: boolean | undefined; 'no-wait-next'?: boolean | undefined }

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
