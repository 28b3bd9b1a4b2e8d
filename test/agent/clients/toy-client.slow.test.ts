import { expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hookServer, TOKEN } from '../../support/hook-server.ts'
import { contract } from '../../support/hook-world.ts'
import { programCopy } from '../../support/program-copy.ts'
import { runCommand } from '../../support/run-command.ts'
import { tempFolder } from '../../support/temp-folder.ts'

// Its hook is told `{"does": "save", "what": "a/b"}` and answers with "yes" or "no: REASON".
const TOY: Record<string, string> = {
  'src/agent/clients/toy/client.ts': `import type { AgentClient } from '../client.ts'

export const toy: AgentClient = {
  name: 'toy',
  title: 'Toy Agent',
  setup: async () => (await import('./setup.ts')).setup,
  hook: async () => (await import('./hook.ts')).hook,
  docs: { page: 'toy', evidence: 'documents' },
}
`,
  'src/agent/clients/toy/setup.ts': `import { join } from 'node:path'
import type { ClientSetup } from '../../client-files/client-setup.ts'
import { hookLine, hookLists, ours } from '../../client-files/entries.ts'

export const setup: ClientSetup = {
  detect: (place) => place.has(join(place.home, '.toy')),
  files: (request) => [
    {
      kind: 'json',
      path: join(request.place.home, '.toy', 'hooks.json'),
      values: [],
      lists: hookLists([['save', 10]], () => ({ command: hookLine(request, 'toy') })),
      hooksAt: ['hooks'],
      isOurs: ours('toy'),
    },
  ],
  after: () => ['Restart the toy.'],
  check: 'It beeps.',
}
`,
  'src/agent/clients/toy/hook.ts': `import { NOTHING } from '../../calls/tool-call.ts'
import type { ClientHook } from '../client.ts'
import { readByTable } from '../table.ts'

const TABLE = {
  client: 'toy',
  events: { before: 'before_tool' },
  keys: { session: ['session'], cwd: ['cwd'], tool: ['does'], input: [] },
  tools: { save: { touch: 'write', keys: ['what'] } },
} as const

export const hook: ClientHook = {
  hostTimeoutMs: 10_000,
  relays: false,
  canAsk: () => false,
  parse: (input, env) =>
    readByTable(TABLE, input, env, { rawEvent: 'before', toolInput: input }),
  render: (verdict) => ({
    ...NOTHING,
    stdout: verdict.is === 'deny' ? JSON.stringify({ no: verdict.reason }) : '{"yes":true}',
  }),
}
`,
}

test('a client is a folder and a line in the list: found, set up, and answered', async () => {
  using folder = tempFolder()
  using server = hookServer()
  const home = join(folder.path, 'home')
  mkdirSync(join(home, '.toy'), { recursive: true })
  const { main, changed } = programCopy(folder.path, TOY, {
    path: 'src/agent/clients/clients.ts',
    replace: [
      ['import { zed }', "import { toy } from './toy/client.ts'\nimport { zed }"],
      ['  zed,\n]', '  zed,\n  toy,\n]'],
    ],
  })
  // An import and an entry; nothing else that was there changes.
  expect(changed).toBe(2)
  // Setup refuses to write down a program in the cache of npx, where this test may run.
  const bun = join(folder.path, 'bun')
  copyFileSync(process.execPath, bun)

  async function beckon(args: string[], input = '') {
    const env = { HOME: home, PATH: '/usr/bin:/bin', BECKON_URL: server.url, BECKON_TOKEN: TOKEN }
    return await runCommand([bun, '--no-env-file', main, ...args], {
      env,
      cwd: home,
      stdin: input,
    })
  }

  expect((await beckon(['setup', '--help'])).out).toContain('toy')
  // Found by its folder alone, among all the others.
  server.before = ({ url }) =>
    url.endsWith('/api/v1/agent')
      ? Response.json({ name: 'toy', test: false, devices: 1 })
      : undefined
  const done = await beckon(['setup', '--yes'])
  expect([done.code, done.err]).toEqual([0, expect.stringContaining('Found: Toy Agent.')])
  expect(done.out).toContain('Restart the toy.')
  const file = join(home, '.toy/hooks.json')
  expect(readFileSync(file, 'utf8')).toContain('hook toy')
  expect((await beckon(['setup', '--check'])).out).toMatch(
    /Toy Agent: Its files are .*\n.*Its hook/,
  )

  const call = (does: string, what: string) =>
    beckon(['hook', 'toy'], JSON.stringify({ session: 's1', cwd: home, does, what }))
  server.contract = contract({ offLimitsPaths: ['secret/**'] })
  await call('propose_scope', '')
  await beckon(['hook', 'toy', '--refresh', '--session=s1', `--cwd=${home}`, `--root=${home}`])
  expect(await call('save', 'open.txt')).toEqual({ code: 0, out: '{"yes":true}', err: '' })
  expect((await call('save', 'secret/key')).out).toContain('secret/key is off limits')
  // Only in a terminal while the scope holds.
  expect((await beckon(['setup', 'toy', '--undo'])).code).toBe(1)
  rmSync(join(home, '.local/state/beckon/scope'), { recursive: true })
  expect((await beckon(['setup', 'toy', '--undo'])).code).toBe(0)
  expect(existsSync(file)).toBe(false)
}, 120_000)
