import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '../../../src/platform/program.ts'
import { onTerminal } from '../../support/on-terminal.ts'
import { programCopy } from '../../support/program-copy.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { type ScratchHome, setupWorld } from './setup-world.ts'

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

let world: Awaited<ReturnType<typeof setupWorld>>
beforeAll(async () => {
  world = await setupWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const CLAUDE = '.claude/settings.json'
const CODEX = '.codex/config.toml'
const OTHER_SECRET = `ghp_${'a1B2c3D4'.repeat(4)}e5F6`

function furnished(): ScratchHome {
  const home = world.home()
  home.put(CLAUDE, '{\n  "model": "opus"\n}\n')
  home.put('.claude.json', `{\n  "env": { "GITHUB_TOKEN": "${OTHER_SECRET}" }\n}\n`)
  home.put(CODEX, 'model = "x"\n')
  for (const file of ['.claude.json', CODEX]) chmodSync(join(home.path, file), 0o600)
  return home
}

type Session = Parameters<typeof onTerminal>[2] & { env?: Record<string, string>; args?: string[] }

function setup(home: ScratchHome, { args = [], env = {}, ...session }: Session) {
  const machine = { HOME: home.path, PATH: '/nonexistent', BECKON_URL: world.url }
  const variables = { ...machine, BECKON_TOKEN: world.token, ...env }
  return onTerminal(['setup', ...args], variables, { cwd: home.path, ...session })
}

test('a summary is shown before it is asked for, and the differences on request, without a secret', async () => {
  using home = furnished()
  const before = home.files()
  const { code, output } = await setup(home, {
    args: ['--http'],
    replies: [
      ['Write them?', 'd'],
      ['+++ ~/.codex/config.toml', ''],
      ['Write them?', 'n'],
    ],
  })
  const [summary = ''] = output.split('Write them?')
  expect(summary).toContain('~/.codex/config.toml: will be changed')
  expect(summary).not.toContain('---')
  const seen = output.slice(summary.length)
  expect(seen).toContain('--- ~/.claude/settings.json')
  expect(seen).toMatch(/^\+.*mcp__beckon__/m)
  expect(seen).toMatch(/^ {3}"model": "opus"|^-? {2}"model": "opus"/m)
  expect(seen).toContain('+++ ~/.codex/config.toml')
  for (const secret of [world.token, OTHER_SECRET]) expect(output).not.toContain(secret)
  expect([code, home.files()]).toEqual([1, before])
})

test('a file of one huge line is cut, says so, and shows no secret', async () => {
  using home = furnished()
  const state = {
    secret: OTHER_SECRET,
    history: Array(9_000).fill('some words'),
    end: OTHER_SECRET,
  }
  home.put('.claude.json', JSON.stringify(state))
  const { out } = await home.setup(['claude', '--dry-run'])
  expect(out).toMatch(/… \(\d{5,} more\)$/m)
  expect(out).toContain('+++ ~/.claude/settings.json')
  expect(out).not.toContain(OTHER_SECRET)
  expect(out.length).toBeLessThan(40_000)
})

const UP = '\u001b[A'
const DOWN = '\u001b[B'

test('a client is left out by its number, or by arrow keys and space', async () => {
  for (const typed of ['2', `${UP} ${DOWN}`, `${DOWN}${DOWN}${DOWN}${DOWN} ${DOWN}`]) {
    using home = furnished()
    const before = home.read(CODEX)
    const { code, output } = await setup(home, {
      replies: [
        ['Write them?', typed],
        ['Shall Claude Code wait', ''],
      ],
    })
    expect(output).toContain('[x] 1. Claude Code')
    expect(output).toContain('[ ] 2. Codex')
    expect([code, home.read(CODEX)]).toEqual([0, before])
    expect(home.read(CLAUDE)).toContain('beckon')
  }
})

test('leaving all of them out, or a no by its key or by arrow keys, changes nothing', async () => {
  for (const typed of ['12', 'n', `${DOWN}${DOWN}`, `${UP}${UP}${UP}`]) {
    using home = furnished()
    const before = home.files()
    const { code, output } = await setup(home, { replies: [['Write them?', typed]] })
    expect([typed, code, home.files()]).toEqual([typed, 1, before])
    expect(output).toContain('Nothing was changed.')
  }
})

test('setup ends with one thing to try', async () => {
  using home = furnished()
  const { output } = await setup(home, {
    replies: [
      ['Write them?', 'y'],
      ['Shall Claude Code wait', ''],
    ],
  })
  expect(Bun.stripANSI(output).trimEnd()).toMatch(/\nTry it: \S.* ask 'Does this ring\?'$/)
})

test('Ctrl-C at any prompt ends setup as interrupted, without a word and without a change', async () => {
  for (const [prompt, env] of [
    ['Address of your Beckon server', { BECKON_URL: '', BECKON_TOKEN: '' }],
    ['Agent token (not shown)', { BECKON_TOKEN: '' }],
    ['Write them?', {}],
  ] as const) {
    using home = furnished()
    const before = home.files()
    const { code, output } = await setup(home, { env, replies: [[prompt, '\x03']] })
    expect([prompt, code, home.files()]).toEqual([prompt, 130, before])
    expect(output).not.toMatch(/Nothing was changed|Interrupted|bug/)
  }
})

test('undo of one of two clients keeps the token of the other', async () => {
  using home = furnished()
  expect((await home.setup(['claude', 'codex'])).code).toBe(0)
  const { code } = await setup(home, {
    args: ['--undo'],
    replies: [['Undo it?', '2']],
  })
  expect(code).toBe(0)
  expect(home.read(CODEX)).toContain('beckon')
  expect(home.read('.config/beckon/client.json')).toContain(world.token)
  expect(home.read(CLAUDE)).not.toContain('beckon')
})

test('a token that the server does not take is asked for again, with the reason', async () => {
  using home = furnished()
  const wrong = 'bk_wrong'
  const { code, output } = await setup(home, {
    args: ['claude'],
    env: { BECKON_TOKEN: '' },
    replies: [
      ['Agent token', wrong],
      ['Agent token', world.token],
      ['Write them?', 'y'],
      ['Shall Claude Code wait', ''],
    ],
  })
  expect(output).toContain('does not accept this token')
  expect([code, home.read('.config/beckon/client.json')]).toEqual([
    0,
    expect.stringContaining(world.token),
  ])
  for (const secret of [wrong, world.token]) expect(output).not.toContain(secret)
})

test('no token at all ends it, and with --yes a wrong one does', async () => {
  using home = furnished()
  const before = home.files()
  const env = { BECKON_TOKEN: 'bk_wrong' }
  const ended = await setup(home, { env, replies: [['Agent token', '']] })
  expect([ended.code, home.files()]).toEqual([5, before])
  const sure = await setup(home, { args: ['--yes'], env })
  expect([sure.code, home.files()]).toEqual([5, before])
  expect(sure.output).not.toContain('Agent token')
})

/** A program named beckon that says which version it is. */
function installed(folder: string, version: string): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'beckon')
  writeFileSync(path, `#!/bin/sh\necho "beckon ${version}"\n`)
  chmodSync(path, 0o755)
  return path
}

test.each([
  '.npm/_npx/5f2c/node_modules/beckon',
  '.bun/install/cache/beckon@0.1.0',
  'tmp/bunx-1000-beckon@latest/node_modules/beckon',
])('from %s no path of a cache is written', async (cache) => {
  using scratch = tempFolder()
  using home = furnished()
  const before = home.files()
  const at = join(scratch.path, cache)
  mkdirSync(at, { recursive: true })
  const nothing = { path: 'src/main.ts', replace: [] }
  const { main } = programCopy(at, {}, nothing)
  const program = [process.execPath, '--no-env-file', main]
  // As npx does, with its own program first.
  const own = join(at, 'bin')
  installed(own, VERSION)
  const bin = join(scratch.path, 'bin')
  const run = (...args: string[]) =>
    setup(home, { args: ['claude', ...args], program, env: { PATH: `${own}:${bin}` } })

  const refused = await run('--yes')
  expect([refused.code, home.files()]).toEqual([1, before])
  expect(refused.output).toContain(`install beckon ${VERSION} where PATH leads`)
  expect(refused.output.trim().split('\n')).toHaveLength(1)
  const path = installed(bin, '0.0.9')
  const other = await run('--yes')
  expect([other.code, home.files()]).toEqual([1, before])
  expect(other.output).toContain(`${path} is 0.0.9`)
  installed(bin, VERSION)
  const done = await run('--yes')
  expect([done.code, done.output]).toEqual([0, expect.stringContaining('Claude Code')])
  const files = Object.values(home.files()).join('\n')
  expect(files).toContain(path)
  expect(files).not.toContain(cache)
  expect((await run('--undo', '--yes')).code).toBe(0)
  expect(home.files()).toEqual(before)
})

test('from a clone whose Bun is in a cache of npx, it says how to build the executable', async () => {
  using scratch = tempFolder()
  using home = furnished()
  const before = home.files()
  const { main } = programCopy(scratch.path, {}, { path: 'src/main.ts', replace: [] })
  const cache = join(scratch.path, '.npm/_npx/5f2c')
  mkdirSync(cache, { recursive: true })
  const bun = join(cache, 'bun')
  copyFileSync(process.execPath, bun)
  const program = [bun, '--no-env-file', main]
  const refused = await setup(home, { args: ['claude', '--yes'], program, env: { PATH: '' } })
  expect([refused.code, home.files()]).toEqual([1, before])
  expect(refused.output).toContain(
    `build the executable in ${scratch.path} with "npx -y bun@${Bun.version} run build", and run "./dist/beckon setup" there`,
  )
})
