import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { HOME, type RestWorld, restWorld } from '../../ask/http/rest-world.ts'
import { beckon } from '../../support/beckon.ts'
import { tempFolder } from '../../support/temp-folder.ts'

// Whole processes and many requests on a busy machine.
setDefaultTimeout(60_000)

let world: RestWorld
let env: Record<string, string>
beforeAll(async () => {
  world = await restWorld()
  env = { BECKON_URL: world.url, BECKON_TOKEN: tokenOf('agent') }
})
afterAll(() => world[Symbol.asyncDispose]())

const tokenOf = (as: 'agent' | 'otherAgent' | 'tester' | 'wrong') =>
  (world.headersOf(as).authorization ?? '').replace('Bearer ', '')
const run = (...args: string[]) => beckon(args, { env })

type Open = { question: string; correlationId: string }

/** The id of `question` as soon as it is in the inbox. */
async function opened(question: string): Promise<string> {
  for (;;) {
    const { body } = await world.call({ as: 'member', path: '/api/v1/inbox' })
    const { questions } = body as { questions: Open[] }
    const match = questions.find((one) => one.question === question)
    if (match) return match.correlationId
    await Bun.sleep(5)
  }
}

const end = (id: string, how: 'answer' | 'stop', body?: object) =>
  world.call({ as: 'member', method: 'POST', path: `/api/v1/questions/${id}/${how}`, body })

test('ask prints the value alone and says yes with 0, no with 1', async () => {
  const yes = run('ask', 'Deploy?')
  await end(await opened('Deploy?'), 'answer', { value: 'yes', note: 'after lunch' })
  const { out, code, err } = await yes
  expect([out, code]).toEqual(['yes\n', 0])
  expect(err).toContain('after lunch')
  expect(err).toMatch(/answered at http:\/\/localhost:8484\/d\/q_/)

  const no = run('ask', 'Really?', '--timeout', '2m')
  await end(await opened('Really?'), 'answer', { value: 'no' })
  expect(await no).toMatchObject({ out: 'no\n', code: 1 })
})

test('a token that no header can hold is named, and is no failure of the network', async () => {
  for (const token of ['bk_a b', 'bk_a\nb', 'bk_ü']) {
    const { code, out, err } = await beckon(['ask', 'Go?'], {
      env: { ...env, BECKON_TOKEN: token },
    })
    expect([token, code, out]).toEqual([token, 2, ''])
    expect(err).toStartWith('BECKON_TOKEN is not a token')
  }
})

test('who asks and tells on the command line is called as the token is, not as the program', async () => {
  const { out } = await run('ask', 'Who is it?', '--no-wait')
  const reply = await world.call({ as: 'member', path: '/api/v1/inbox' })
  const { questions } = reply.body as { questions: { correlationId: string; agentName: string }[] }
  const question = questions.find(({ correlationId }) => correlationId === out.trim())
  const { body } = await world.call({ as: 'agent', path: '/api/v1/agent' })
  expect(question?.agentName).toBe((body as { name: string }).name)
  await run('notify', 'Told', 'by the command line')
  const activity = await world.call({ as: 'member', path: '/api/v1/activity' })
  expect(JSON.stringify(activity.body)).not.toContain('beckon/')
})

test('an answer "no" to a select or an input is an answer', async () => {
  const asking = run('ask', 'Keep it?', '--option', 'no', '--option', 'maybe')
  await end(await opened('Keep it?'), 'answer', { value: 'no' })
  expect(await asking).toMatchObject({ out: 'no\n', code: 0 })
  const typing = run('ask', 'Why?', '--type', 'input', '--json')
  await end(await opened('Why?'), 'answer', { value: 'because\nof it' })
  const typed = await typing
  expect(JSON.parse(typed.out)).toMatchObject({ status: 'answered', value: 'because\nof it' })
  expect(typed.code).toBe(0)
})

test('no answer in time is 3, and the question stays open for wait', async () => {
  const late = await run('ask', 'Anybody?', '--timeout', '1s')
  expect([late.out, late.code]).toEqual(['', 3])
  const id = await opened('Anybody?')
  expect(late.err).toContain(`beckon wait ${id}`)
  const waiting = run('wait', id)
  await end(id, 'answer', { value: 'yes' })
  expect(await waiting).toMatchObject({ out: 'yes\n', code: 0, err: '' })
})

test('stopped and withdrawn are 4', async () => {
  const stopped = run('ask', 'Go on?')
  await end(await opened('Go on?'), 'stop')
  expect(await stopped).toMatchObject({ out: '', code: 4 })
  const withdrawn = run('ask', 'Or not?')
  const id = await opened('Or not?')
  expect(await run('cancel', id)).toEqual({ out: `${id} is withdrawn.\n`, code: 0, err: '' })
  expect(await withdrawn).toMatchObject({ out: '', code: 4 })
})

test('cancel of what was answered fails and says what won', async () => {
  const { out } = await run('ask', 'Which way?', '--no-wait', '--type', 'input')
  const id = out.trim()
  expect(id).toStartWith('q_')
  await end(id, 'answer', { value: 'left' })
  expect(await run('cancel', id)).toMatchObject({
    code: 1,
    err: `${id} was not withdrawn: it is answered with "left".\n`,
  })
})

test('cancel of what another token asked fails and says who can', async () => {
  const id = (await run('ask', 'Mine?', '--no-wait')).out.trim()
  const { db, clock } = world.deps
  const { token } = await createToken({ db, clock }, { workspaceId: HOME, name: 'other' })
  const refused = await beckon(['cancel', id], { env: { ...env, BECKON_TOKEN: token } })
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toContain('Another token asked this question, and it stays open.')
  expect(await run('cancel', id)).toMatchObject({ code: 0 })
})

test('Ctrl-C leaves the question alive and says so', async () => {
  const main = join(import.meta.dir, '../../../src/main.ts')
  const child = Bun.spawn([process.execPath, main, 'ask', 'Interrupted?'], {
    env: { PATH: process.env.PATH, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const id = await opened('Interrupted?')
  while (world.deps.waiters.count() === 0) await Bun.sleep(5)
  child.kill('SIGINT')
  expect(await child.exited).toBe(130)
  expect(await new Response(child.stderr).text()).toContain(`beckon wait ${id}`)
  expect(await new Response(child.stdout).text()).toBe('')
  expect((await end(id, 'answer', { value: 'yes' })).status).toBe(200)
})

test('test traffic is not waited for', async () => {
  const result = await beckon(['ask', 'Test?'], {
    env: { ...env, BECKON_TOKEN: tokenOf('tester') },
  })
  expect([result.out, result.code]).toEqual(['', 3])
  expect(result.err).toContain('Test traffic')
})

test('when nobody can be reached ask does not wait, and says what to connect', async () => {
  const alone = { ...env, BECKON_TOKEN: tokenOf('otherAgent') }
  const { code, out, err } = await beckon(['ask', 'Anyone?', '--timeout', '10m'], { env: alone })
  expect([code, out]).toEqual([3, ''])
  expect(err).toContain('No phone, browser or chat channel could receive this')
  expect(err).toMatch(/answered at http:\/\/localhost:8484\/d\/q_\w+\n/)
  expect(err).toMatch(/beckon wait q_/)
})

test('notify says how many devices it reached', async () => {
  expect(await run('notify', 'Built', 'All green')).toEqual({
    code: 0,
    out: 'Sent to 1 device.\n',
    err: '',
  })
  const nobody = await run('notify', 'Built', 'All green', '--tag', 'phone', '--json')
  expect(nobody.code).toBe(0)
  expect(JSON.parse(nobody.out)).toMatchObject({ sent: 0, warning: expect.any(String) })
  expect(nobody.err).toBe('No device has the tag phone\n')
})

test('notify takes its detail page from a file or from standard input', async () => {
  using folder = tempFolder()
  const file = join(folder.path, 'context.json')
  const context = { type: 'info', askQuestion: { question: 'Ship it?' } }
  writeFileSync(file, JSON.stringify(context))
  expect((await run('notify', 'Done', 'Look', '--context', file)).out).toMatch(/beckon wait q_/)
  const piped = await beckon(['notify', 'Done', 'Look', '--context', '-'], {
    env,
    stdin: JSON.stringify({ type: 'moon' }),
  })
  expect(piped.code).toBe(2)
  expect(piped.err).toContain('context.type must be one of')
})

// Nobody listens there.
const SILENT = 'http://127.0.0.1:9'

const WRONG: [args: string[], sentence: string][] = [
  [['ask'], 'QUESTION is missing.'],
  [['ask', 'Q', '--type', 'poll'], '--type must be one of confirm, select, input.'],
  [['ask', 'Q', '--type', 'select'], 'give --option two to six times'],
  [['ask', ''], 'QUESTION must have something that can be seen.'],
  [['ask', ' \u200b'], 'QUESTION must have something that can be seen.'],
  [['ask', 'Q', '--option', 'only'], 'give --option two to six times'],
  [['ask', 'Q', '--option', 'a', '--option', ''], '--option must have something that can be seen.'],
  [['ask', 'Q', '--type', 'input', '--option', 'a'], '--option belongs to --type select'],
  [['ask', 'Q', '--timeout', '50'], '--timeout must be a time from 1s to 10m'],
  [['ask', 'Q', '--timeout', '999m'], '--timeout must be a time from 1s to 10m'],
  [['wait'], 'CORRELATION_ID is missing.'],
  [['wait', ''], 'CORRELATION_ID must be the id of a question'],
  [['wait', '..'], 'CORRELATION_ID must be the id of a question'],
  [['cancel', ' '], 'CORRELATION_ID must be the id of a question'],
  [['notify', 'Title'], 'BODY is missing.'],
  [['notify', '', 'B'], 'TITLE must have something that can be seen.'],
  [['notify', 'T', ' '], 'BODY must have something that can be seen.'],
  [['notify', 'T', 'B', '--context', '/nowhere.json'], 'cannot be read (ENOENT)'],
]
test.each(WRONG)('wrong usage is 2 and names it, without a server: %p', async (args, sentence) => {
  const { code, out, err } = await beckon(args, { env: { ...env, BECKON_URL: SILENT } })
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(sentence)
})

test('without a token the command says how to get one', async () => {
  const { code, err } = await beckon(['ask', 'Q'], { env: { BECKON_URL: world.url } })
  expect(code).toBe(2)
  expect(err).toContain('beckon key create')
})

test('a token that is not accepted, an unknown id and a silent address are 5', async () => {
  const refused = await beckon(['ask', 'Q'], { env: { ...env, BECKON_TOKEN: tokenOf('wrong') } })
  expect([refused.code, refused.out]).toEqual([5, ''])
  expect(refused.err).toContain('does not accept the token in BECKON_TOKEN')
  expect((await run('wait', 'q_nothing')).code).toBe(5)
  const silent = { ...env, BECKON_URL: SILENT }
  for (const args of [
    ['ask', 'Q'],
    ['wait', 'q_1'],
    ['cancel', 'q_1'],
    ['notify', 'T', 'B'],
  ]) {
    const { code, out, err } = await beckon(args, { env: silent })
    expect([code, out]).toEqual([5, ''])
    expect(err).toContain('http://127.0.0.1:9 cannot be reached')
    expect(err.trim().split('\n')).toHaveLength(1)
  }
})

test('wait goes on when the server ends under it and comes back', async () => {
  const gone = Promise.withResolvers<void>()
  const dying = Bun.serve({
    port: 0,
    fetch: () => {
      gone.resolve()
      return new Promise<Response>(() => {})
    },
  })
  const port = dying.port ?? 0
  const waiting = beckon(['wait', 'q_1'], { env: { ...env, BECKON_URL: dying.url.origin } })
  await gone.promise
  await dying.stop(true)
  const answered = { correlationId: 'q_1', status: 'answered', answered: true, value: 'left' }
  await using back = Bun.serve({ port, fetch: () => Response.json(answered) })
  expect(back.port).toBe(port)
  expect(await waiting).toEqual({ out: 'left\n', code: 0, err: '' })
})

test('a server that does not come back is 5, in one sentence with the command that goes on', async () => {
  const gone = Bun.serve({ port: 0, fetch: () => new Response('', { status: 502 }) })
  const { origin } = gone.url
  const { code, out, err } = await beckon(['wait', 'q_1', '--timeout', '1s'], {
    env: { ...env, BECKON_URL: origin },
  })
  await gone.stop(true)
  expect([code, out]).toEqual([5, ''])
  expect(err).toBe(
    `${origin} answered 502; the question stays open. Go on waiting for the answer with: beckon wait q_1\n`,
  )
})

test('an address that is not a Beckon server is 5, and the token is not sent on', async () => {
  const heard: (string | null)[] = []
  const thief = Bun.serve({
    port: 0,
    fetch(request) {
      heard.push(request.headers.get('authorization'))
      return new Response('welcome')
    },
  })
  const other = Bun.serve({ port: 0, fetch: () => Response.redirect(thief.url.href) })
  for (const { url } of [other, thief]) {
    const { code, err } = await beckon(['notify', 'T', 'B'], {
      env: { ...env, BECKON_URL: url.origin },
    })
    expect(code).toBe(5)
    expect(err).toContain('not as a Beckon server does')
    if (url === other.url) expect(heard).toEqual([])
  }
  await Promise.all([thief.stop(true), other.stop(true)])
})
