import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import asks from '../../../packages/cases/asks.json'
import table from '../../../packages/cases/servers.json'
import values from '../../../packages/cases/values.json'
import { pythonClient } from '../../../packages/release/clients.ts'
import { type RestWorld, restWorld } from '../../ask/http/rest-world.ts'
import { PYTHON } from '../../support/python.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'
import { type StandIn, standIn } from '../stand-in.ts'

// Processes of Python, on a busy machine.
setDefaultTimeout(120_000)

const PACKAGE = join(import.meta.dir, '../../../packages/python')
const TOOLS = "['pip', 'setuptools', 'wheel', 'venv', 'ensurepip']"
const HAS_TOOLS = `import importlib.util as of; exit(not all(map(of.find_spec, ${TOOLS})))`
const CAN_BUILD = PYTHON !== undefined && runs([PYTHON, '-c', HAS_TOOLS])
const withPython = test.skipIf(PYTHON === undefined)

function runs(command: string[]): boolean {
  return Bun.spawnSync(command, { stdout: 'ignore', stderr: 'ignore' }).success
}

let world: RestWorld
beforeAll(async () => {
  world = await restWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

function environment(more: Record<string, string> = {}) {
  const token = (world.headersOf('agent').authorization ?? '').replace('Bearer ', '')
  return { ...process.env, BECKON_URL: world.url, BECKON_TOKEN: token, ...more }
}

async function succeed(command: string[], env: Record<string, string | undefined> = process.env) {
  const child = Bun.spawn(command, { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out = '', err] = await Promise.all(
    [child.stdout, child.stderr].map((one) => new Response(one).text()),
  )
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${out}${err}`)
  return out
}

type Results = object & Iterable<{ status: string }>

/** Lets the package do something, while a person answers what is asked. */
async function act(
  name: string,
  answers: Record<string, string> = {},
  more: Record<string, string> = {},
): Promise<Results> {
  const env = environment({ PYTHONPATH: join(PACKAGE, 'src'), ...more })
  const done = succeed([PYTHON ?? '', join(PACKAGE, 'tests/acts.py'), name], env)
  await answerAll(answers)
  return JSON.parse(await done) as Results
}

/** Stands for a question whose words are the server's. */
const ANY = '*'

type Open = { correlationId: string; question: string; actionBody?: string }

async function answerAll(answers: Record<string, string>): Promise<void> {
  const left = new Map(Object.entries(answers))
  await until(async () => {
    const { body } = await world.call({ as: 'member', path: '/api/v1/inbox' })
    for (const { question, correlationId } of (body as { questions: Open[] }).questions) {
      const key = left.has(question) ? question : ANY
      const value = left.get(key)
      if (value === undefined) continue
      left.delete(key)
      const path = `/api/v1/questions/${correlationId}/answer`
      await world.call({ as: 'member', method: 'POST', path, body: { value } })
    }
    return left.size === 0
  })
}

withPython('the table of cases holds in Python', async () => {
  const env = { ...process.env, PYTHONPATH: join(PACKAGE, 'src') }
  await succeed([PYTHON ?? '', join(PACKAGE, 'tests/test_cases.py')], env)
})

withPython('the fake server answers by its script, and keeps time and permits', async () => {
  const env = { ...process.env, PYTHONPATH: join(PACKAGE, 'src') }
  await succeed([PYTHON ?? '', join(PACKAGE, 'tests/test_testing.py')], env)
})

withPython('interrupts of a graph are answered', async () => {
  const env = { ...process.env, PYTHONPATH: join(PACKAGE, 'src') }
  await succeed([PYTHON ?? '', join(PACKAGE, 'tests/test_langgraph.py')], env)
})

withPython('a yes, a no, a choice and a text', async () => {
  expect(await act('yes', { 'Deploy?': 'yes' })).toMatchObject({ status: 'answered', value: true })
  expect(await act('no', { 'Delete it?': 'no' })).toMatchObject({ status: 'declined' })
  expect(await act('choice', { 'Which one?': 'right' })).toMatchObject({ value: 'right' })
  expect(await act('text', { 'Which name?': 'Ada' })).toMatchObject({ value: 'Ada' })
  const refund = { amount: 12, reason: 'late', on: '2026-01-31' }
  expect(await act('form', { 'Refund?': JSON.stringify(refund) })).toMatchObject({ value: refund })
  expect(await act('tool', { 'Tea or coffee?': 'tea' })).toMatchObject({ value: 'tea' })
})

withPython(
  'a wait goes on with the id, a subject is asked about once, a question is withdrawn',
  async () => {
    using folder = tempFolder()
    const back = join(folder.path, 'back')
    const resumed = act('resumed', {}, { FIRST_IS_BACK: back })
    await until(() => existsSync(back))
    await answerAll({ 'In a while?': 'yes' })
    expect(await resumed).toMatchObject([{ status: 'waiting' }, { status: 'answered' }])
    const first = await act('subject', { 'Once only?': 'yes' })
    // The push to the browser may arrive between the two.
    const withoutDelivery = (result: object) => ({ ...result, delivery: undefined })
    expect(withoutDelivery(await act('subject'))).toEqual(withoutDelivery(first))
    expect(await act('withdrawn')).toMatchObject([{ status: 'waiting' }, true])
  },
)

withPython('test mode, notifications, scopes, and what is wrong', async () => {
  expect(await act('listed')).toMatchObject({ status: 'listed', questions: [] })
  expect(await act('test')).toMatchObject({ status: 'held' })
  expect(await act('notify')).toMatchObject({ status: 'sent', sent: 1 })
  const agreed = { status: 'answered', value: { doneWhen: 'Tests pass.' } }
  expect(await act('scope', { [ANY]: 'yes' })).toMatchObject([agreed, agreed])
  expect(await act('wrong token')).toMatchObject({ code: 'unauthenticated' })
  expect(await act('wrong field')).toMatchObject({ code: 'invalid_input', fields: ['options'] })
  expect(await act('away')).toMatchObject({ status: 'unreachable' })
})

withPython(
  'a protected function runs once with what was shown, and a gate that cannot ask is closed',
  async () => {
    const done = await act('protected', { 'Delete a customer?': 'yes' })
    expect(done).toMatchObject([{ status: 'done', value: 'gone' }, [7]])
    expect(await act('protected', { 'Delete a customer?': 'no' })).toMatchObject([
      { status: 'declined' },
      [],
    ])
    // The second call asks nobody: the question is answered already.
    const declined = { status: 'declined' }
    expect(await act('of an order', { 'refund?': 'no' })).toMatchObject([declined, declined, []])
    expect(await act('raised', { 'broken?': 'yes' })).toMatchObject({ raised: 'no disk' })
    await until(async () => {
      const path = '/api/v1/audit?kind=permit.outcome'
      const { body } = await world.call({ as: 'member', path })
      return JSON.stringify(body).includes('failed: no disk')
    })
    expect(await act('too long')).toMatchObject({ allowed: false, outcome: { status: 'too_long' } })
    expect(await act('no json')).toMatchObject({ allowed: false, outcome: { status: 'not_json' } })
  },
)

withPython(
  'what a server does wrong, and odd arguments, run nothing that was not allowed',
  async () => {
    using server = standIn()
    const results = await actOn(server, 'servers')
    const wanted = [
      ...table.cases.map(({ name, status, ran }) => ({ name, status, ran })),
      ...table.arguments.map(({ name, status }) => ({ name, status, ran: 0 })),
    ]
    expect(results).toEqual(wanted)
    for (const { name, consumed, askedMax = 8 } of table.cases) {
      expect([name, server.consumed(name)]).toEqual([name, consumed])
      expect(server.asked(name)).toBeLessThanOrEqual(askedMax)
    }
    for (const { name, sent: count, keys, test: isTest } of table.calls) {
      const posts = server.posts(name)
      const names = new Set(posts.flatMap(({ key }) => key ?? []))
      expect([name, posts.length, names.size]).toEqual([name, count, keys])
      for (const { body } of posts) expect(body.env).toBe(isTest ? 'test' : undefined)
    }
  },
)

withPython('the table of cases: what is sent', async () => {
  using server = standIn()
  await actOn(server, 'asks')
  for (const { name, body: wanted } of asks.cases) {
    const body: Record<string, unknown> = server.posts(name)[0]?.body ?? {}
    const { timeoutMs, requestId, ...rest } = body
    const key = 'requestId' in wanted ? { requestId } : {}
    expect([name, { ...rest, ...key }]).toEqual([name, wanted as object])
    expect([typeof requestId, timeoutMs]).toEqual(['string', 20_000])
  }
})

/** Lets the package do something with a server that does something wrong. */
async function actOn(server: StandIn, name: string): Promise<unknown[]> {
  const env = environment({ PYTHONPATH: join(PACKAGE, 'src') })
  const origin = new URL(server.urlOf('x')).origin
  const acts = join(PACKAGE, 'tests/acts.py')
  return JSON.parse(await succeed([PYTHON ?? '', acts, name, `${origin}/`], env))
}

withPython('what was shown runs, and what cannot be shown whole is refused by name', async () => {
  using server = standIn()
  const inPython = (one: { in: string[] }) => one.in.includes('python')
  const taken = values.taken.filter(inPython)
  const valueIn = (name: string) => JSON.parse(String(server.posts(name)[0]?.body.actionBody))
  expect(await actOn(server, 'values')).toEqual([
    ...values.changed.map(({ name, given: input }) => ({ name, status: 'done', ran: [input] })),
    ...taken.map(({ name }) => ({ name, status: 'done', ran: [true], reason: '' })),
    ...values.refused.filter(inPython).map(({ name }) => ({
      ...{ name, status: 'not_json', ran: [] },
      reason: expect.stringMatching(/^order\.value|^NaN/),
    })),
  ])
  for (const { name, given: input } of values.changed)
    expect(valueIn(name)).toEqual({ value: input })
  for (const { name, shown: rendering } of taken) {
    expect(valueIn(name)).toEqual({ order: { value: rendering.python } })
  }
})

withPython('methods are protected, with the fields of a data class', async () => {
  using server = standIn()
  const refused = { status: 'refused' }
  const results = await actOn(server, 'methods')
  expect(results).toMatchObject([{ status: 'done' }, 7, refused, 0, { status: 'done', value: 3 }])
  const [post] = server.posts('method')
  expect(JSON.parse(String(post?.body.actionBody))).toEqual({
    self: { owner: 'kim', paid: 0 },
    amount: 7,
  })
  expect(server.posts('door')[0]?.body.action).toBe('Door.open {"floor":3}')
})

withPython('asyncio that is cancelled runs nothing, and withdraws its question', async () => {
  using folder = tempFolder()
  const isOpen = join(folder.path, 'open')
  const done = act('given up', {}, { IS_OPEN: isOpen })
  let id = ''
  await until(async () => {
    const { body } = await world.call({ as: 'member', path: '/api/v1/inbox' })
    const { questions } = body as { questions: Open[] }
    id = questions.find(({ question }) => question === 'deploy?')?.correlationId ?? ''
    return id !== ''
  })
  writeFileSync(isOpen, '')
  expect(await done).toEqual(['cancelled'] as never)
  const { body } = await world.call({ as: 'agent', path: `/api/v1/questions/${id}` })
  expect(body).toMatchObject({ status: 'cancelled' })
  using server = standIn()
  expect(await actOn(server, 'cut off')).toEqual(['cancelled'])
})

withPython('asyncio asks several at once', async () => {
  const answers = { 'Number 0?': 'yes', 'Number 1?': 'no', 'Number 2?': 'yes', 'later?': 'yes' }
  const [a, b, c, later] = await act('many', answers)
  expect([a, b, c].map((one) => one?.status)).toEqual(['answered', 'declined', 'answered'])
  expect(later).toMatchObject({ status: 'done', value: 2 })
})

const PIP = ['-m', 'pip', '--disable-pip-version-check', '--no-cache-dir', '--quiet']
// Nothing is fetched: what a build needs is on this machine.
const ALONE = ['--no-build-isolation', '--no-deps', '--no-index']
const REPOSITORY = 'https://code.example.com/somebody/beckon'

/** Writes a package of a release into a folder; undefined if there is none with that end. */
async function released(place: string, end: string): Promise<string> {
  const packages = await pythonClient({ repository: REPOSITORY, licence: 'The licence.' })
  const archive = packages.find(({ file }) => file.endsWith(end))
  if (!archive) throw new Error(`There is no ${end}.`)
  writeFileSync(join(place, archive.file), archive.bytes)
  return join(place, archive.file)
}

/** Builds the wheel of a folder or of a source distribution. */
async function wheelOf(source: string, place: string): Promise<string> {
  await succeed([PYTHON ?? '', ...PIP, 'wheel', ...ALONE, '--wheel-dir', place, source])
  const [wheel = ''] = readdirSync(place).filter((name) => name.endsWith('.whl'))
  return join(place, wheel)
}

const WHEELS: Record<string, (place: string) => Promise<string>> = {
  async 'pip wheel'(place) {
    const copy = join(place, 'package')
    cpSync(PACKAGE, copy, { recursive: true })
    return await wheelOf(copy, place)
  },
  'bun run release': (place) => released(place, '.whl'),
  'its source distribution': async (place) => wheelOf(await released(place, '.tar.gz'), place),
}

test.skipIf(!CAN_BUILD).each(Object.entries(WHEELS))(
  'the wheel of %s, installed into an empty environment, runs the example of its README',
  async (_, wheelIn) => {
    using folder = tempFolder()
    const wheel = await wheelIn(folder.path)
    const place = join(folder.path, 'place')
    await succeed([PYTHON ?? '', '-m', 'venv', place])
    const python = join(place, 'bin/python')
    await succeed([python, ...PIP, 'install', '--no-index', wheel])
    // Each file is there with its checksum.
    await succeed([python, ...PIP, 'check'])
    const readme = await Bun.file(join(PACKAGE, 'README.md')).text()
    const [, example = ''] = /```python\n(.*?)```/s.exec(readme) ?? []
    const file = join(folder.path, 'example.py')
    writeFileSync(file, example)
    const ran = succeed([python, file], environment({ PYTHONPATH: '' }))
    await answerAll({ 'Deploy to production?': 'yes' })
    expect(await ran).toBe('deploying\n')
  },
)

const DESCRIBE = `import json, sys, zipfile, email
whole = zipfile.ZipFile(sys.argv[1])
assert whole.testzip() is None
names = sorted(whole.namelist())
about = email.message_from_bytes(whole.read(next(n for n in names if n.endswith('/METADATA'))))
print(json.dumps([names, sorted(about.items()), about.get_payload()]))`

test.skipIf(!CAN_BUILD)('the wheel of a release says what that of setuptools says', async () => {
  using folder = tempFolder()
  const described = async (way: string) => {
    const place = join(folder.path, way)
    mkdirSync(place)
    const wheel = (await WHEELS[way]?.(place)) ?? ''
    return JSON.parse(await succeed([PYTHON ?? '', '-c', DESCRIBE, wheel]))
  }
  const [names, about, readme] = await described('bun run release')
  const [theirs, says, text] = await described('pip wheel')
  const isExtra = (name: string) => /\/(LICENSE|top_level.txt)$/.test(name)
  const without = (list: string[]) => list.filter((name) => !isExtra(name))
  expect(without(names)).toEqual(without(theirs))
  const differs = ([field]: [string, string]) => !/^(Metadata-Version|Project-URL)$/.test(field)
  expect(about.filter(differs)).toEqual(says.filter(differs))
  expect(about).toContainEqual(['Project-URL', `Source, ${REPOSITORY}`])
  expect(readme.trim()).toBe(text.trim())
})
