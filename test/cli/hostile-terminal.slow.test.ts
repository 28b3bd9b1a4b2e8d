import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { insertPerson } from '../../src/ask/accounts/model/person-store.ts'
import { addDraft } from '../../src/catalog/measured/draft-store.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { beckon } from '../support/beckon.ts'
import { writeCatalogFolder } from '../support/catalog-folder.ts'
import { aDevice, connect } from '../support/devices.ts'
import { writeCatalog } from '../support/generated-catalog.ts'
import { hookWorld } from '../support/hook-world.ts'
import { hostileCatalog } from '../support/hostile-catalog.ts'
import { TERMINAL } from '../support/hostile-corpus.ts'
import type { Ran } from '../support/run-command.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { type WholeServer, wholeServer } from '../support/whole-server.ts'

// Each row starts the program as a process of its own.
setDefaultTimeout(60_000)

const FORGED = 'ok  everything is fine'
/** What steers a terminal, turns a line around, or looks like a line of ours. */
const EVIL = `${TERMINAL.join(' ')} \u202e\u2066 \u2028${FORGED}\r\n${FORGED}\u0085`
/** What only the person who types it can be fooled by has no lines. */
const TYPED = TERMINAL.join(' ').replaceAll('\r', '')
const STEERS = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\ufeff]/u

function expectCalm({ out, err }: Ran): void {
  for (const text of [out, err]) {
    const at = text.search(STEERS)
    expect(at < 0 ? '' : JSON.stringify(text.slice(Math.max(0, at - 80), at + 20))).toBe('')
    expect(text.split('\n').filter((line) => line.startsWith(FORGED))).toEqual([])
  }
}

let world: WholeServer
let liar: ReturnType<typeof Bun.serve>
let env: Record<string, string>

beforeAll(async () => {
  world = await wholeServer()
  // Past every door, as if an older version had let it in.
  const { db } = world.app
  const { workspaceId } = world
  const now = systemClock.now()
  await world.token()
  await db.write(async (tx) => {
    const person = { id: 'evil', name: EVIL, email: `${EVIL}@x.example`, role: 'member' } as const
    await insertPerson(tx, { ...person, workspaceId }, now)
    await addDraft(tx, { id: EVIL, slug: EVIL, kind: EVIL, what: EVIL, source: EVIL }, now)
  })
  await connect(
    db,
    aDevice({ workspaceId, personId: 'owner', label: EVIL, lastError: EVIL, lastErrorAt: now }),
  )
  liar = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => lie(request) })
  const url = `http://127.0.0.1:${liar.port}`
  env = { BECKON_URL: url, BECKON_TOKEN: 'bk_x', BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' }
})
afterAll(async () => {
  await liar.stop(true)
  await world[Symbol.asyncDispose]()
})

const OUTCOME = {
  correlationId: EVIL,
  question: EVIL,
  status: 'answered',
  answered: true,
  type: 'input',
  value: EVIL,
  note: EVIL,
  hint: EVIL,
  warning: EVIL,
  answerUrl: EVIL,
  cancelled: false,
  sent: 1,
  linkedCorrelationId: EVIL,
  name: EVIL,
  test: false,
  devices: 1,
}

/** A server that says whatever it likes, in every field. */
function lie({ url }: Request): Response {
  const { pathname } = new URL(url)
  if (pathname.includes('refuse')) {
    return Response.json({ code: EVIL, detail: EVIL, title: EVIL, status: 409 }, { status: 409 })
  }
  if (pathname.endsWith('.json')) {
    const row = { path: EVIL, sha256: 'a'.repeat(64), size: 1 }
    return Response.json({ ...OUTCOME, baseUrl: EVIL, issuedAt: EVIL, files: [row], keys: [EVIL] })
  }
  return Response.json(OUTCOME)
}

test.each<[string, string[]]>([
  ['a refusal', ['cancel', 'refuse']],
  ['an outcome that came first', ['cancel', 'q_1']],
  ['a question that nobody waits for', ['ask', 'Go?', '--no-wait']],
  ['a question', ['ask', 'Go?']],
  ['what became of a notification', ['notify', 'Title', 'Body']],
  ['a command that there is none of', [TYPED]],
  ['an argument that is wrong', ['wait', 'q_1', `--${TYPED}`]],
  ['a time that is none', ['wait', 'q_1', '--timeout', TYPED]],
  ['a file that is not there', ['notify', 'Title', 'Body', '--context', TYPED]],
  ['a manifest from elsewhere', ['catalog', 'verify', 'LIAR']],
  ['a mirror of something else', ['catalog', 'mirror', '--from', 'LIAR', '--data', 'NEW']],
  ['a source of an import', ['catalog', 'import', 'LIAR/openapi.json', '--dir', 'CATALOG']],
  ['what a server says to setup', ['setup', 'claude', '--dry-run']],
  ['what a server says to a check', ['setup', '--check']],
])('a server that lies does not reach the terminal: %s', async (_, args) => {
  using folder = tempFolder()
  const place: Record<string, string> = {
    LIAR: env.BECKON_URL ?? '',
    NEW: join(folder.path, 'new'),
    CATALOG: join(folder.path, 'catalog'),
  }
  writeCatalogFolder(place.CATALOG ?? '', {})
  const words = args.map((arg) => arg.replace(/LIAR|NEW|CATALOG/, (name) => place[name] ?? ''))
  expectCalm(await beckon(words, { env: { ...env, HOME: folder.path } }))
})

test('an answer does not steer the terminal, and is written as it was typed', async () => {
  const { out, err } = await beckon(['wait', 'q_1'], { env })
  expectCalm({ code: 0, out: '', err })
  expect(out).not.toMatch(STEERS)
  expect(out).toContain(`\n${FORGED}`)
})

test('JSON of it stays the same JSON', async () => {
  const { out } = await beckon(['wait', 'q_1', '--json'], { env })
  expect(out).not.toMatch(STEERS)
  expect(JSON.parse(out)).toEqual(OUTCOME)
})

test.each<[string, string[]]>([
  ['people', ['user', 'list']],
  ['people as JSON', ['user', 'list', '--json']],
  ['tokens', ['key', 'list']],
  ['devices', ['doctor']],
  ['devices as JSON', ['doctor', '--json']],
  ['drafts', ['catalog', 'drafts']],
  ['drafts as JSON', ['catalog', 'drafts', '--json']],
  ['a person who is asked for', ['user', 'reset', '--email', 'evil\u001b[2J@x.example']],
  ['a token that is asked for', ['key', 'revoke', EVIL]],
  ['a new token', ['key', 'create', '--name', EVIL]],
  ['a workspace that is asked for', ['key', 'create', '--name', 'a', '--workspace', EVIL]],
  ['somebody to pair', ['pair', '--email', EVIL]],
  ['a copy', ['backup', `/tmp/nowhere/\u001b]0;x\u0007${FORGED}`]],
  ['a draft that is asked for', ['catalog', 'drafts', '--take', EVIL]],
  ['a record that is asked for', ['catalog', 'probe', EVIL]],
])('what is stored, or typed, does not steer the terminal: %s', async (_, args) => {
  const words = args.map((arg) => arg.replaceAll('\u0000', ''))
  expectCalm(await beckon([...words, '--data', world.dataFolder]))
})

test('a catalog that somebody else wrote does not either, whatever is done with it', async () => {
  using folder = tempFolder()
  const dir = join(folder.path, 'evil\u001b]0;x\u0007')
  const broken = { [EVIL]: EVIL, name: EVIL, vendor: EVIL, summary: [EVIL], scores: { [EVIL]: 1 } }
  writeCatalogFolder(dir, {
    'tools/wrong.yaml': stringify(broken),
    'tools/cut.yaml': `name: "${'x'.repeat(9)}\u001b[2J\n${FORGED}`,
    [`tools/${'a\u001b[2Jb'}.yaml`]: 'name: x',
    'tools/late.md': `## ${EVIL}\n`,
    'reviews/wrong/one.json': JSON.stringify(broken),
  })
  const rows = [
    ['lint', dir],
    ['lint', dir, '--json'],
    ['publish', dir, '--data', join(folder.path, 'data')],
    ['grade', '--dir', dir],
    ['sign', dir],
    ['verify', dir],
    ['export', join(folder.path, 'out'), '--data', join(folder.path, 'data')],
    ['import', join(dir, 'tools/wrong.yaml'), '--dir', dir],
  ]
  for (const row of rows) expectCalm(await beckon(['catalog', ...row]))
})

test('a valid catalog with hostile text does not steer the terminal', async () => {
  using folder = tempFolder()
  const calm = EVIL.replace(/[\p{Cc}\p{Bidi_Control}\u2028]/gu, ' ')
  const catalog = hostileCatalog([calm, FORGED, `x\n${FORGED}`], ['https://a.example/'])
  const reviews = catalog.reviews.map(({ signature: _, ...review }) => review)
  writeCatalog(folder.path, { ...catalog, reviews })
  const linted = await beckon(['catalog', 'lint', folder.path])
  expect(linted).toMatchObject({ code: 0, out: '' })
  expectCalm(await beckon(['catalog', 'grade', '--dir', folder.path]))
  expectCalm(await beckon(['catalog', 'grade', 'tool-0002', '--dir', folder.path]))
})

test('what a server says to a hook does not steer the terminal of its client', async () => {
  using world = hookWorld()
  const { run, before, ratify, server } = world
  const paths = [`${EVIL}/**`, EVIL]
  await ratify('claude', { allowedPaths: ['src/**'], offLimitsPaths: paths, doneWhen: EVIL })
  server.answer = { value: 'no', note: EVIL }
  server.reply = { questionFields: { question: EVIL, hint: EVIL } }
  for (const client of ['claude', 'codex', 'cursor', 'gemini']) {
    const evil = { file_path: `${EVIL}/a`, command: EVIL }
    expectCalm(await run(client, before('Write', evil)))
    expectCalm(await run(client, before(EVIL, evil)))
    expectCalm(await run(client, world.event('SessionStart', { source: EVIL, cwd: EVIL })))
  }
})

const SOURCES: Array<[string, unknown]> = [
  ['models.json', { [EVIL]: { id: EVIL, name: EVIL, models: { [EVIL]: { id: EVIL } } } }],
  ['openapi.json', { openapi: '3.1.0', info: { title: EVIL, version: EVIL }, servers: [EVIL] }],
  ['server.json', { servers: [{ server: { name: EVIL, description: EVIL, version: EVIL } }] }],
  ['package.json', { name: EVIL, version: EVIL, license: EVIL, description: EVIL }],
]

test.each(SOURCES)('a source of an import does not steer the terminal: %s', async (name, value) => {
  using folder = tempFolder()
  const dir = join(folder.path, 'catalog')
  writeCatalogFolder(dir, {})
  mkdirSync(join(folder.path, 'in'))
  const file = join(folder.path, 'in', name)
  writeFileSync(file, JSON.stringify(value))
  expectCalm(await beckon(['catalog', 'import', file, '--dir', dir]))
  expectCalm(await beckon(['catalog', 'import', file, '--dir', dir, '--report', '-']))
})
