import { expect } from 'bun:test'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { HookWorld } from './hook-world.ts'
import { repository } from './repository.ts'
import { until } from './until.ts'

export const SCOPE = { allowedPaths: ['src/**'], offLimitsPaths: ['infra/**'] }
export const FILES = {
  'src/a.ts': 'a',
  'infra/prod.tf': 'prod',
  'README.md': 'read me',
  'big.txt': 'b',
}

type Json = Record<string, unknown>

/** A session in a repository, with a scope in force since now. */
export async function gitSession(world: HookWorld, before: () => void = () => {}) {
  repository(world.project, FILES)
  before()
  await startInScope(world)
  const { run, event } = world
  const after = (command: string, more: Json = {}) =>
    event('PostToolUse', { tool_name: 'Bash', tool_input: { command }, ...more })
  const readNotice = async (command = 'make', more: Json = {}) => {
    const { out, err, code } = await run('claude', after(command, more))
    expect({ err, code }).toEqual({ err: '', code: 0 })
    return out === '' ? '' : (JSON.parse(out).hookSpecificOutput.additionalContext as string)
  }
  /** A look that a busy machine has no time for says nothing, and the next one looks again. */
  const heard = async (command?: string) => {
    let notice = ''
    await until(async () => {
      await waitForLooks(world)
      notice = await readNotice(command)
      return notice !== ''
    })
    return notice
  }
  return { after, readNotice, heard }
}

/** Until the state of the repository is kept, however busy the machine is. */
async function startInScope(world: HookWorld): Promise<void> {
  await world.ratify('claude', SCOPE)
  const look = { tool_name: 'Bash', tool_input: { command: 'true' } }
  await until(async () => {
    if (keptBaselines(world).some((name) => name.endsWith('.json'))) return true
    await world.run('claude', world.event('PostToolUse', look))
    return false
  })
  await waitForLooks(world)
}

// A look in the background has ended by then.
const LOOK_LASTS_MS = 20_000

/**
 * Until nothing looks in the background, which would keep what it read before. Drops the marks of
 * looks that had no time: they keep others from looking for minutes.
 */
export async function waitForLooks(world: HookWorld): Promise<void> {
  const folder = join(world.state, 'baseline')
  await until(() =>
    keptBaselines(world)
      .filter((name) => name.endsWith('.look'))
      .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
      .every((at) => Date.now() - at > LOOK_LASTS_MS),
  )
  for (const name of keptBaselines(world).filter((one) => /\.(slow|look)$/.test(one)))
    rmSync(join(folder, name), { recursive: true, force: true })
}

export function keptBaselines({ state }: HookWorld): string[] {
  try {
    return readdirSync(join(state, 'baseline'))
  } catch {
    return []
  }
}

export const changedOutside = (names: string) =>
  `Beckon: files changed that the scope of this session does not cover: ${names}. The person is told.`
