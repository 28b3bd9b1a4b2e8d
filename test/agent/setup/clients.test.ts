import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parse } from 'jsonc-parser'
import {
  type DesiredFile,
  type InstallRequest,
  setupPlace,
} from '../../../src/agent/client-files/client-setup.ts'
import type { DesiredJson } from '../../../src/agent/client-files/desired-json.ts'
import { isOurHook, LONG_TIMEOUT_MS, TIMEOUT_MS } from '../../../src/agent/client-files/entries.ts'
import {
  HOOK_CLIENTS,
  loadHookClient,
  loadSetupClients,
} from '../../../src/agent/clients/clients.ts'
import { planUndo, planWrite } from '../../../src/agent/setup/change.ts'
import { CLIENT_FILES } from './client-files.ts'
import { setupWorld } from './setup-world.ts'

const SETUP_CLIENTS = await loadSetupClients()

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

let world: Awaited<ReturnType<typeof setupWorld>>
beforeAll(async () => {
  world = await setupWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

function wishFor(home: string, more: Partial<InstallRequest> = {}): InstallRequest {
  const place = { ...setupPlace({ HOME: home, PATH: '' }, undefined), platform: 'linux' as const }
  const program = { command: '/opt/my tools/beckon', args: [] }
  const server = { url: 'https://beckon.example.com/api/mcp/mcp', token: 'bk_test' }
  return { place, program, ...server, http: false, strict: false, nativeDeny: false, ...more }
}

const entries = (text: string, at: readonly string[]): Array<Record<string, unknown>> =>
  at.reduce((inner, name) => inner?.[name], parse(text, [], { allowTrailingComma: true }))

test('every client has files to try, and the names are those of the hook', () => {
  const names = SETUP_CLIENTS.map(({ name }) => name)
  expect(Object.keys(CLIENT_FILES).sort()).toEqual(names.toSorted())
  expect(
    SETUP_CLIENTS.filter(({ hook }) => hook)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(HOOK_CLIENTS.toSorted())
})

describe.each(SETUP_CLIENTS.map((client) => [client.name, client] as const))(
  '%s',
  (name, client) => {
    test('is set up through the command, found by its files, and undone byte for byte', async () => {
      using home = world.home()
      for (const [path, text] of Object.entries(CLIENT_FILES[name] ?? {})) home.put(path, text)
      const before = home.files()
      const done = await home.setup(['--yes'])
      expect([done.code, done.out]).toEqual([0, expect.stringContaining(client.title)])
      const once = home.files()
      expect(once).not.toEqual(before)
      await home.setup([name])
      expect(home.files()).toEqual(once)
      const undone = await home.setup(['--undo', '--yes'])
      expect(undone.code).toBe(0)
      expect(home.files()).toEqual(before)
    })

    test('keeps every word of others, in their order', () => {
      using home = world.home()
      for (const [path, text] of Object.entries(CLIENT_FILES[name] ?? {})) home.put(path, text)
      for (const request of client.files(wishFor(home.path))) {
        const change = planWrite(name, request)
        if (!change) throw new Error(`${request.path} is not changed`)
        let at = 0
        for (const word of change.file.text.split(/[\s,[\]{}]+/)) {
          const index = change.text.indexOf(word, at)
          expect([word, index >= 0]).toEqual([word, true])
          at = index + word.length
        }
      }
    })

    test('is undone without memory of what was there, but for what was empty', () => {
      using home = world.home()
      for (const [path, text] of Object.entries(CLIENT_FILES[name] ?? {})) home.put(path, text)
      for (const request of client.files(wishFor(home.path))) {
        const change = planWrite(name, request)
        if (!change?.bytes || change.file.text === '') continue
        const path = request.path.slice(home.path.length + 1)
        home.put(path, change.bytes)
        const back = planUndo(name, request, {
          [request.path]: {
            clients: [name],
            before: null,
            after: 'changed since',
            backup: null,
            made: change.made,
            folders: [],
          },
        })
        expect(back?.text.replace(/\s/g, '')).toBe(change.file.text.replace(/\s/g, ''))
      }
    })

    // Zed has no hooks.
    const withHooks = test.skipIf(name === 'zed')
    withHooks('its hooks start the program, with the time that the hook counts on', async () => {
      using home = world.home()
      const hook = await loadHookClient(name)
      const texts = client
        .files(wishFor(home.path))
        .map((request) => planWrite(name, request)?.text ?? '')
      const all = texts.join('\n')
      if (name === 'claude') expect(all).toContain('"/opt/my tools/beckon", "hook", "claude"]')
      else if (name === 'opencode') expect(all).toContain(`["/opt/my tools/beckon"]`)
      else expect(all).toContain(`'/opt/my tools/beckon' hook ${name}`.replace('vscode', 'copilot'))
      const timeouts = [...all.matchAll(/"?(?:timeout|timeoutSec)"?(?:: | = )(\d+)(?=\s*[,}\n])/g)]
      // Calls of the tools have a time of their own.
      const ofHooks = timeouts
        .map(([, n]) => Number(n))
        .filter((n) => n !== LONG_TIMEOUT_MS && n !== TIMEOUT_MS)
      const unit = name === 'gemini' || name === 'qwen' ? 1 : 1000
      const hasTime = !['cursor', 'windsurf', 'cline', 'opencode'].includes(name)
      // The end-of-turn hooks may wait longer.
      if (hasTime) expect(ofHooks.map((n) => n * unit)).toContain(hook?.hostTimeoutMs ?? 0)
    })

    test('every event it registers is one that the hook knows', async () => {
      using home = world.home()
      // VS Code reads the files of Copilot CLI.
      const hook = await loadHookClient(name === 'vscode' ? 'copilot' : name)
      const wishes = client
        .files(wishFor(home.path))
        .filter(
          (request): request is DesiredJson =>
            request.kind === 'json' && request.hooksAt !== undefined,
        )
      for (const request of wishes) {
        const text = planWrite(name, request)?.text ?? ''
        for (const event of Object.keys(entries(text, request.hooksAt ?? []))) {
          const keys = {
            hook_event_name: event,
            agent_action_name: event,
            hookEventName: event,
            event,
          }
          const call = hook?.parse(keys, {}, event)
          expect([event, call?.event]).not.toEqual([event, 'unknown'])
        }
      }
    })
  },
)

test('--strict makes a hook that fails block, where the client can do that', () => {
  using home = world.home()
  const strict = wishFor(home.path, { strict: true })
  const clients = SETUP_CLIENTS.filter((client) =>
    client
      .files(strict)
      .some((request) =>
        /onFailure|failClosed|on_failure/.test(planWrite(client.name, request)?.text ?? ''),
      ),
  )
  expect(clients.map(({ name }) => name)).toEqual(['claude', 'cursor', 'goose'])
})

test.each(HOOK_CLIENTS)(
  '--strict is handed to every hook of %s, and is not there otherwise',
  (name) => {
    using home = world.home()
    const text = (strict: boolean) => {
      const wishes = SETUP_CLIENTS.find((one) => one.name === name)?.files(
        wishFor(home.path, { strict }),
      )
      return (wishes ?? []).map((request) => planWrite(name, request)?.text ?? '').join('\n')
    }
    const count = (pattern: RegExp) => text(true).match(pattern)?.length ?? 0
    // VS Code runs the hooks of Copilot; the plugin of OpenCode starts its own in one place.
    const called = name === 'vscode' ? 'copilot' : name
    const start = new RegExp(`beckon'?"?,?[\\s["args:]*hook"?,?\\s+"?${called}`, 'g')
    const hooks = name === 'opencode' ? 1 : count(start)
    expect(hooks).toBeGreaterThan(0)
    expect(count(/--strict/g)).toBe(hooks)
    expect(text(false)).not.toContain('--strict')
  },
)

test('Cursor is told of consent exactly where silence would block', () => {
  using home = world.home()
  const text = (strict: boolean) => {
    const cursor = SETUP_CLIENTS.find(({ name }) => name === 'cursor')
    const wishes = cursor?.files(wishFor(home.path, { strict })) ?? []
    return wishes.map((request) => planWrite('cursor', request)?.text ?? '').join('\n')
  }
  const entry =
    /"command": ".+'\/opt\/my tools\/beckon' hook cursor --strict --fail-closed",\s*"failClosed": true/g
  expect(text(true).match(entry)?.length).toBe(text(true).match(/failClosed/g)?.length ?? 0)
  expect(text(true).match(entry)?.length).toBe(4)
  expect(text(false)).not.toContain('--fail-closed')
})

test.each(SETUP_CLIENTS.map((client) => [client.name, client] as const))(
  'no entry of %s has the token, and each clears what an environment can do to the program',
  (name, client) => {
    using home = world.home()
    const wishes = client.files(wishFor(home.path))
    const texts = wishes.map((request) => planWrite(name, request)?.text ?? '')
    expect(texts.join('\n')).not.toContain('bk_test')
    // Each start of the program, as a line, as words, or as words with an environment beside them.
    const starts = texts.flatMap((text) => text.split(/(?=\/opt\/my tools\/beckon)/).slice(1))
    expect(starts.length).toBeGreaterThan(0)
    const lines = texts.join('\n').split('\n')
    for (const line of lines.filter((one) => /my tools\/beckon'?[", ]+hook/.test(one))) {
      expect(line).toMatch(/-uBUN_BE_BUN.*-uBUN_OPTIONS.*-uBECKON_URL.*my tools/)
    }
    const server = texts.filter((text) => /"mcp"/.test(text) && text.includes('/opt/my tools'))
    if (name !== 'goose') expect(server.length).toBe(1)
    for (const text of server) expect(text).toMatch(/BUN_BE_BUN"? ?[:=] ?""/)
  },
)

test('where there is no such command, hooks are started as they are', () => {
  using home = world.home()
  const place = {
    ...setupPlace({ HOME: home.path, PATH: '' }, undefined),
    platform: 'win32' as const,
  }
  const request = wishFor(home.path, { place })
  const gemini = SETUP_CLIENTS.find(({ name }) => name === 'gemini')
  const text = gemini?.files(request).map((one) => planWrite('gemini', one)?.text ?? '') ?? []
  expect(text.join('')).toContain(`"command": "'/opt/my tools/beckon' hook gemini --from=setup"`)
  expect(text.join('')).toContain('"BUN_BE_BUN": ""')
})

test('entries of an earlier version, and of this one, are both known as ours', () => {
  const plain = "'/opt/my tools/beckon' hook codex"
  for (const entry of [
    { command: plain },
    { command: `/usr/bin/env -uBUN_BE_BUN -uXDG_STATE_HOME '/opt/my tools/beckon' hook codex` },
    { command: `/usr/bin/env -uBUN_BE_BUN 'XDG_STATE_HOME=/my state' ${plain} --strict` },
    { command: '/opt/beckon', args: ['hook', 'codex'] },
    { command: '/usr/bin/env', args: ['-uBUN_BE_BUN', '/opt/beckon', 'hook', 'codex'] },
  ]) {
    expect([entry, isOurHook(entry, 'codex')]).toEqual([entry, true])
    expect(isOurHook(entry, 'claude')).toBe(false)
  }
  expect(isOurHook({ command: '/usr/bin/env -uX guard hook codex' }, 'codex')).toBe(false)
})

const NAMES = [
  '/opt/tools/bk',
  '/nix/store/x/bin/.beckon-wrapped',
  '/opt/beckon-0.2/beckon-linux-x64',
]

describe.each(['linux', 'win32'] as const)('on %s', (platform) => {
  test.each(SETUP_CLIENTS.map((client) => [client.name, client] as const))(
    'the entries of %s are known whatever the program is called',
    (name, client) => {
      for (const command of NAMES) {
        using home = world.home()
        for (const [path, text] of Object.entries(CLIENT_FILES[name] ?? {})) home.put(path, text)
        const place = { ...setupPlace({ HOME: home.path, PATH: '' }, undefined), platform }
        const request = (strict: boolean, command: string) =>
          wishFor(home.path, { place, strict, program: { command, args: [] } })
        const put = (files: DesiredFile[]) => {
          for (const file of files) {
            const change = planWrite(name, file)
            if (change?.bytes) home.put(file.path.slice(home.path.length + 1), change.bytes)
          }
        }
        put(client.files(request(true, command)))
        const once = home.files()
        // Again with the same, and then by a program of another name.
        put(client.files(request(true, command)))
        expect([command, home.files()]).toEqual([command, once])
        put(client.files(request(false, '/opt/beckon')))
        const all = Object.values(home.files()).join('\n')
        expect([command, all.includes(command), all.includes('--strict')]).toEqual([
          command,
          false,
          false,
        ])
        put(client.files(request(true, command)))
        expect(howOften(home.files(), command)).toBe(howOften(once, command))
        for (const file of client.files(request(false, '/opt/beckon'))) planUndoAt(name, file)
        expect(Object.values(home.files()).join('\n')).not.toMatch(/bk|wrapped|linux-x64/)
      }
    },
  )
})

function howOften(files: Record<string, string>, word: string): number {
  return Object.values(files).join('\n').split(word).length
}

function planUndoAt(name: string, file: DesiredFile): void {
  const change = planUndo(name, file, {})
  if (!change) return
  if (change.bytes) writeFileSync(file.path, change.bytes)
  else rmSync(file.path)
}

test.each(SETUP_CLIENTS.map((client) => [client.name, client] as const))(
  'what %s shares in a project names no folder of this machine',
  async (_, client) => {
    using home = world.home()
    const state = `${home.path}/my-state`
    const env = { XDG_STATE_HOME: state, XDG_CONFIG_HOME: `${home.path}/my-config` }
    const done = await home.setup(['--project', client.name], { env })
    expect([done.code, done.err]).toEqual([0, expect.stringContaining('PATH has no beckon here')])
    const own = /^(my-|\.claude\/settings\.local\.json$)/
    const shared = Object.entries(home.files()).filter(([path]) => !own.test(path))
    const texts = shared.map(([, text]) => text).join('\n')
    expect(texts).not.toContain(home.path)
    expect(texts).not.toContain(dirname(process.execPath))
    expect(texts).not.toContain('main.ts')
  },
)

test('no file of a project has the token', () => {
  using home = world.home()
  const place = setupPlace({ HOME: home.path, PATH: '' }, `${home.path}/project`)
  const request = wishFor(home.path, { place, http: true })
  const holding = SETUP_CLIENTS.filter((client) =>
    client.files(request).some((one) => planWrite(client.name, one)?.text.includes('bk_test')),
  )
  expect(holding.map(({ name }) => name)).toEqual([])
})
