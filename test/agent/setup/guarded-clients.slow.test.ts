import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type InstallRequest, setupPlace } from '../../../src/agent/client-files/client-setup.ts'
import { GUARDED } from '../../../src/agent/client-files/guarded-hook.ts'
import {
  HOOK_CLIENTS,
  loadHookClient,
  loadSetupClients,
} from '../../../src/agent/clients/clients.ts'
import { forgetScope, keepScope } from '../../../src/agent/session/kept-scope.ts'
import { contract, hookWorld } from '../../support/hook-world.ts'
import { runCommand } from '../../support/run-command.ts'

const SETUP_CLIENTS = await loadSetupClients()
// Its hook is a plugin, which has a test of its own.
const WITH_ENTRIES = HOOK_CLIENTS.filter((name) => name !== 'opencode')
// VS Code runs the hook of Copilot CLI.
const RUNS: Readonly<Record<string, string>> = { vscode: 'copilot' }

describe.skipIf(process.platform === 'win32')('while a scope holds', () => {
  const world = hookWorld()
  afterAll(() => world[Symbol.dispose]())

  /** What the client starts before a tool, where the program is gone. */
  function entries(name: string): string[][] {
    const request: InstallRequest = {
      place: setupPlace(world.env, undefined),
      program: { command: '/no/such/program', args: [] },
      url: 'http://localhost:1',
      token: 't',
      http: false,
      strict: false,
      nativeDeny: false,
    }
    const files = SETUP_CLIENTS.find((one) => one.name === name)?.files(request) ?? []
    return files.flatMap((file) => {
      if (file.kind === 'own')
        return / hook .*\.active|\.active.* hook /.test(file.text) ? [scriptOf(file)] : []
      if (file.kind === 'toml')
        return file.lists.flatMap(({ text }) => commandsIn(Bun.TOML.parse(text)))
      return commandsIn(file.lists.map(({ items }) => items))
    })
  }

  function scriptOf({ path, text }: { path: string; text: string }): string[] {
    const script = join(world.home, path.replace(/[^A-Za-z]/g, '_'))
    writeFileSync(script, text)
    chmodSync(script, 0o755)
    return [script]
  }

  function commandsIn(value: unknown): string[][] {
    if (value === null || typeof value !== 'object') return []
    const { command, bash, args } = value as Record<string, unknown>
    const words = Array.isArray(args) ? [String(command), ...args.map(String)] : undefined
    const own = words ?? ['sh', '-c', String(bash ?? command)]
    const isGuarded = JSON.stringify(own).includes('.active')
    return [...(isGuarded ? [own] : []), ...Object.values(value).flatMap(commandsIn)]
  }

  const start = (words: string[]) =>
    runCommand(words, {
      cwd: world.project,
      env: { PATH: process.env.PATH, ...world.env },
      stdin: '{}',
    })

  test.each(WITH_ENTRIES)(
    '%s is told no in its own words when its hook cannot run',
    async (name) => {
      const commands = entries(name)
      expect(commands.length).toBeGreaterThan(0)
      const hook = await loadHookClient(RUNS[name] ?? name)
      const call = hook?.parse(await hook.shellCall?.(), {})
      if (!hook || !call) throw new Error('there is no such hook')
      const no = hook.render({ is: 'deny', reason: GUARDED }, call)
      for (const words of commands) {
        const { out, err } = await start(words)
        expect(out + err).not.toContain(GUARDED)
      }

      const scope = { serverUrl: '', etag: '', checkedAt: Date.now(), roots: [], widened: [] }
      const place = { state: world.state, client: name, sessionId: 's1' }
      keepScope(place, { ...scope, contract: contract({ allowedPaths: ['src'] }) })
      for (const words of commands) {
        const { code, out, err } = await start(words)
        expect([name, code]).toEqual([name, no.exit])
        if (no.exit === 2) expect(err).toContain(GUARDED)
        // Exit code 2 is enough for the others.
        if (no.exit === 0 || ['cursor', 'copilot', 'vscode'].includes(name))
          expect(JSON.parse(out)).toEqual(JSON.parse(no.stdout))
      }
      forgetScope(place)
    },
  )
})
