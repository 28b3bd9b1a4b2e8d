import { expect, test } from 'bun:test'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { sweepState } from '../../../src/agent/hook/session.ts'
import {
  anyScope,
  findScope,
  forgetScope,
  type KeptScope,
  keepScope,
} from '../../../src/agent/session/kept-scope.ts'
import { contract, hookWorld, NOTHING, SESSION } from '../../support/hook-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const NOW = Date.parse('2026-01-02T03:04:05Z')
const HOUR = 60 * 60_000
const KEPT: KeptScope = {
  serverUrl: 'https://beckon.example.com',
  etag: 'e1',
  checkedAt: NOW,
  contract: contract({
    allowedPaths: ['src/**'],
    expiresAt: new Date(NOW + 12 * HOUR).toISOString(),
  }),
  roots: ['/proj'],
  widened: ['README.md'],
}

function shelf(state: string, sessionId = 's1') {
  const place = { state, client: 'claude', sessionId }
  const folder = join(state, 'scope')
  const pathOf = (ending: string) =>
    join(folder, String(readdirSync(folder).find((name) => name.endsWith(ending))))
  return {
    keep: (scope: KeptScope) => keepScope(place, scope),
    find: (now = NOW) => findScope(place, now),
    forget: () => forgetScope(place),
    file: () => pathOf('.json'),
    marker: () => pathOf('.active'),
  }
}

test('what is kept is found, for its owner alone', () => {
  using state = tempFolder()
  const { keep, find, file } = shelf(state.path)
  expect(find()).toEqual({ is: 'none' })
  keep(KEPT)
  expect(find()).toEqual({ is: 'kept', kept: KEPT })
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(statSync(join(state.path, 'scope')).mode & 0o777).toBe(0o700)
  expect(statSync(join(state.path, 'machine.key')).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(state.path, 'scope')).length).toBe(2)
  expect(shelf(state.path, 's2').find()).toEqual({ is: 'none' })
})

test('a folder that others could read is closed', () => {
  using state = tempFolder()
  const { keep } = shelf(state.path)
  keep(KEPT)
  chmodSync(join(state.path, 'scope'), 0o755)
  keep(KEPT)
  expect(statSync(join(state.path, 'scope')).mode & 0o777).toBe(0o700)
})

test('a boundary ends after its time, when the server says so, and with its session', () => {
  using state = tempFolder()
  const { keep, find, forget } = shelf(state.path)
  keep(KEPT)
  expect(anyScope(state.path, 'claude', NOW)).toBe(true)
  expect(anyScope(state.path, 'codex', NOW)).toBe(false)
  expect(find(NOW + 12 * HOUR)).toMatchObject({ is: 'kept', kept: { contract: null } })
  expect(anyScope(state.path, 'claude', NOW + 12 * HOUR)).toBe(false)
  keep({ ...KEPT, contract: null })
  expect(anyScope(state.path, 'claude', NOW)).toBe(false)
  keep(KEPT)
  forget()
  expect(find()).toEqual({ is: 'none' })
})

const TAMPERED: Record<string, (files: ReturnType<typeof shelf>, state: string) => void> = {
  'one byte more': ({ file }) => appendFileSync(file(), ' '),
  'other paths': ({ file }) =>
    writeFileSync(file(), readFileSync(file(), 'utf8').replace('src/**', '**/**')),
  'nothing in it': ({ file }) => writeFileSync(file(), ''),
  'far too much in it': ({ file }) => writeFileSync(file(), 'x'.repeat(2 * 1024 * 1024)),
  'no file any more': ({ file }) => rmSync(file()),
  'another key': (_, state) => writeFileSync(join(state, 'machine.key'), 'a'.repeat(64)),
  'no key any more': (_, state) => rmSync(join(state, 'machine.key')),
  'a broken key': (_, state) => writeFileSync(join(state, 'machine.key'), 'x'),
  'the file of another session': ({ file }, state) => {
    const other = shelf(join(state, 'other'), 's2')
    other.keep({ ...KEPT, contract: null })
    writeFileSync(file(), readFileSync(other.file()))
  },
}

test.each(Object.keys(TAMPERED))(
  'with %s, what is kept is doubted, and healed by the server',
  (how) => {
    using state = tempFolder()
    const files = shelf(state.path)
    files.keep(KEPT)
    TAMPERED[how]?.(files, state.path)
    expect(files.find()).toEqual({ is: 'doubtful', why: expect.any(String) })
    files.keep(KEPT)
    expect(files.find()).toEqual({ is: 'kept', kept: KEPT })
  },
)

test('what a newer version wrote is doubted', () => {
  using state = tempFolder()
  const files = shelf(state.path)
  files.keep({ ...KEPT, version: 2 } as KeptScope)
  expect(files.find()).toMatchObject({ is: 'doubtful', why: expect.stringContaining('version') })
})

test('a boundary file without its mark is no boundary', () => {
  using state = tempFolder()
  const files = shelf(state.path)
  files.keep(KEPT)
  appendFileSync(files.file(), ' ')
  rmSync(files.marker())
  expect(files.find()).toEqual({ is: 'none' })
})

test('what sessions that never said goodbye left is swept after a day', () => {
  using state = tempFolder()
  shelf(state.path).keep(KEPT)
  const stamps = ['tried', 'unheard', 'told', 'spool', 'baseline']
  for (const name of stamps) {
    mkdirSync(join(state.path, name, 'claude-1.told'), { recursive: true })
    writeFileSync(join(state.path, name, 'claude-1'), '')
    writeFileSync(join(state.path, name, 'claude-1.told', 'x'), '')
  }
  const left = () => ['scope', ...stamps].map((name) => readdirSync(join(state.path, name)).length)
  sweepState(state.path, Date.now())
  expect(left()).toEqual([2, 2, 2, 2, 2, 2])
  sweepState(state.path, Date.now() + 25 * HOUR)
  expect(left()).toEqual([0, 0, 0, 0, 0, 0])
  expect(readdirSync(state.path)).toContain('machine.key')
})

test('a folder that is very full is swept bit by bit', () => {
  using state = tempFolder()
  const folder = join(state.path, 'tried')
  mkdirSync(folder)
  for (let at = 0; at < 700; at++) writeFileSync(join(folder, `claude-${at}`), '')
  const left = [1, 2, 3].map(() => {
    sweepState(state.path, Date.now() + 25 * HOUR)
    return readdirSync(folder).length
  })
  expect(left).toEqual([400, 100, 0])
})

test('while what is kept is doubted, nothing is changed until the server is there again', async () => {
  using world = hookWorld()
  const { run, before, ratify, state, server } = world
  await ratify('claude', { allowedPaths: ['src/**'] })
  const file = readdirSync(join(state, 'scope')).find((name) => name.endsWith('.json'))
  appendFileSync(join(state, 'scope', String(file)), 'x')
  server.before = () => new Response('', { status: 503 })
  const write = before('Write', { file_path: 'src/a' })
  const refused = await run('claude', write)
  expect(refused.code).toBe(2)
  expect(refused.err).toEndWith(`beckon hook claude --refresh --session=${SESSION}\n`)
  expect(await run('claude', before('Bash', { command: 'rm src/a' }))).toMatchObject({ code: 2 })
  expect(await run('claude', before('Read', { file_path: 'src/a' }))).toEqual(NOTHING)
  expect(await run('claude', before('Bash', { command: 'ls' }))).toEqual(NOTHING)
  server.before = undefined
  expect(await run('claude', '', { args: ['--refresh', `--session=${SESSION}`] })).toEqual(NOTHING)
  server.stop()
  expect(await run('claude', write)).toEqual(NOTHING)
})

test('a boundary is not ended by another server than its own', async () => {
  using world = hookWorld({ waitSeconds: 1 })
  using other = hookWorld()
  const { run, before, ratify, event } = world
  await ratify('claude', { allowedPaths: ['src/**'] })
  const env = { BECKON_URL: other.server.url, BECKON_TOKEN: 'bk_test' }
  other.server.answer = { value: 'yes' }
  await run('claude', event('PostToolUse', { tool_name: 'mcp__beckon__wait_for_answer' }), { env })
  const outside = await run('claude', before('Write', { file_path: 'README.md' }), { env })
  expect(outside.out).toContain(`agreed to on ${world.server.url}, not on ${other.server.url}`)
  expect(other.server.asked).toEqual([])
})

test('what would be read for ever in the place of what is kept is doubted at once', async () => {
  using world = hookWorld()
  const { run, before, ratify, state, server } = world
  await ratify('claude', { allowedPaths: ['src/**'] })
  server.stop()
  const file = readdirSync(join(state, 'scope')).find((name) => name.endsWith('.json'))
  const path = join(state, 'scope', String(file))
  for (const make of [
    () => Bun.spawnSync(['mkfifo', path]),
    () => symlinkSync('/dev/zero', path),
    () => mkdirSync(path),
  ]) {
    rmSync(path, { recursive: true })
    make()
    const refused = await run('claude', before('Write', { file_path: 'src/a' }))
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('cannot be read') })
  }
}, 60_000)
