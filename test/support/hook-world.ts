import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findScope } from '../../src/agent/session/kept-scope.ts'
import type { HookContract } from '../../src/agent/session/server.ts'
import { writeClientFile } from '../../src/platform/config/client-file.ts'
import { beckon } from './beckon.ts'
import { type HookServer, hookServer, TOKEN } from './hook-server.ts'
import type { Ran } from './run-command.ts'
import { tempFolder } from './temp-folder.ts'
import { until } from './until.ts'

export const SESSION = '0b7bef46-da65-4242-81f1-aa383b8f9463'

type Json = Record<string, unknown>

/** The machine of an agent: a home, a project in it, a server, and the real hook command. */
export type HookWorld = Disposable & {
  home: string
  project: string
  state: string
  server: HookServer
  env: Record<string, string>
  /** Runs `beckon hook CLIENT` with the event as its input; text is handed over as it is. */
  run(client: string, input: Json | string, more?: { env?: Json; args?: string[] }): Promise<Ran>
  /** A person agreed to it; the hook has heard so. */
  ratify(client: string, scope: Partial<HookContract>): Promise<void>
  /** The events of one session, in the words that Claude Code and Codex share. */
  event(name: string, more?: Json): Json
  before(tool: string, input: unknown, more?: Json): Json
  write(path: string, text?: string): void
}

export function hookWorld(setup: { waitSeconds?: number } = {}): HookWorld {
  const folder = tempFolder()
  const home = realpathSync(folder.path)
  const project = join(home, 'proj')
  const server = hookServer()
  const { waitSeconds = 2 } = setup
  const file = { url: server.url, token: TOKEN, machineId: 'm_test', hookWaitSeconds: waitSeconds }
  writeClientFile(file, { HOME: home })
  const env = { HOME: home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '', CLAUDE_PROJECT_DIR: project }
  const self: HookWorld = {
    ...{ home, project, server, env },
    state: join(home, '.local/state/beckon'),
    run: (client, input, more = {}) =>
      beckon(['hook', client, ...(more.args ?? [])], {
        env: { ...env, ...(more.env as Record<string, string>) },
        stdin: typeof input === 'string' ? input : JSON.stringify(input),
        cwd: home,
      }),
    async ratify(client, scope) {
      server.contract = contract(scope)
      const etag = JSON.stringify(server.contract)
      const place = { state: self.state, client, sessionId: SESSION }
      // A hook that a busy machine has no time for hears nothing, and the next one asks again.
      await until(async () => {
        const tool_name = 'mcp__beckon__propose_scope'
        await self.run(client, self.event('PostToolUse', { tool_name }))
        const state = findScope(place, Date.now())
        return state.is === 'kept' && state.kept.etag === etag
      })
    },
    event: (name, more = {}) => ({
      session_id: SESSION,
      cwd: project,
      hook_event_name: name,
      permission_mode: 'default',
      ...more,
    }),
    before: (tool, input, more = {}) =>
      self.event('PreToolUse', {
        tool_name: tool,
        tool_input: input,
        tool_use_id: 'toolu_1',
        ...more,
      }),
    write(path, text = '') {
      mkdirSync(dirname(join(project, path)), { recursive: true })
      writeFileSync(join(project, path), text)
    },
    [Symbol.dispose]() {
      server[Symbol.dispose]()
      folder[Symbol.dispose]()
    },
  }
  mkdirSync(join(project, 'src'), { recursive: true })
  return self
}

/**
 * Runs the hook of Claude Code until it heard the server: a busy machine does not in the third of a
 * second that a call waits for news of its session, and calls after that do not ask for a while.
 */
export async function runHeard(
  { run, state }: HookWorld,
  input: Json,
  more?: Parameters<HookWorld['run']>[2],
): Promise<Ran> {
  let result = NOTHING
  const unheard = join(state, 'unheard')
  await until(async () => {
    rmSync(unheard, { recursive: true, force: true })
    result = await run('claude', input, more)
    return !existsSync(unheard)
  })
  return result
}

export function contract(scope: Partial<HookContract>): HookContract {
  const ratifiedAt = new Date()
  const expiresAt = new Date(ratifiedAt.getTime() + 12 * 60 * 60_000)
  return {
    correlationId: 'q_scope',
    allowedPaths: [],
    offLimitsPaths: [],
    widened: [],
    doneWhen: 'the tests pass',
    ratifiedAt: ratifiedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    ...scope,
  }
}

/** A block of PreToolUse, as Claude Code and Codex are told: the reason stands in both places. */
export function blocked(reason: string): Ran {
  const hookSpecificOutput = {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: reason,
  }
  return { code: 2, out: JSON.stringify({ hookSpecificOutput }), err: `${reason}\n` }
}

export const NOTHING: Ran = { code: 0, out: '', err: '' }
