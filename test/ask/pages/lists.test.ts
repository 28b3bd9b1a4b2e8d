import { expect, test } from 'bun:test'
import { aDevice, connect } from '../../support/devices.ts'
import { pageWorld } from '../../support/page-world.ts'

const MINUTE = 60_000

test('home has all steps at once, and a token that was never used is no agent', async () => {
  await using world = await pageWorld()
  const page = await (await world.get('/')).text()
  for (const id of ['this-browser', 'your-agent', 'ask-me']) expect(page).toContain(`id="${id}"`)
  await world.post('/settings/tokens', { name: 'Laptop' })
  const waiting = await (await world.get('/')).text()
  expect(waiting).toContain('Waiting for its first call')
  expect(waiting).not.toContain('step-head done')
})

test('somebody else’s device and answers end no step', async () => {
  await using world = await pageWorld()
  const { db, workspaceId } = world
  const ended = { status: 'answered', value: 'yes', endedAt: Date.now() } as const
  await world.ask({ ...ended, answeredBy: 'somebody' })
  await connect(db, aDevice({ workspaceId, personId: 'somebody', label: 'Theirs' }))
  const page = await (await world.get('/')).text()
  expect(page).not.toContain('step-head done')
  expect(page).not.toContain('on your devices')
})

test('home shows who waits first, and what happened last below', async () => {
  await using world = await pageWorld()
  await world.ask({ question: 'Still open?' })
  await world.ask(
    { question: 'Long over?', status: 'answered', value: 'no', endedAt: 1 },
    20 * MINUTE,
  )
  const page = await (await world.get('/')).text()
  expect(page.indexOf('Still open?')).toBeGreaterThan(0)
  expect(page.indexOf('Lately')).toBeGreaterThan(page.indexOf('Still open?'))
  expect(page.indexOf('Long over?')).toBeGreaterThan(page.indexOf('Lately'))
  expect(page).toContain('<title>(1) Inbox · beckon</title>')
})

test('the inbox has the nearest deadline first and nothing that has ended', async () => {
  await using world = await pageWorld()
  await world.ask({ question: 'Fresh?' })
  await world.ask({ question: 'Nearly over?' }, 9 * MINUTE)
  await world.ask({ question: 'Over?' }, 11 * MINUTE)
  const page = await (await world.get('/inbox')).text()
  expect(page.indexOf('Nearly over?')).toBeLessThan(page.indexOf('Fresh?'))
  expect(page.slice(0, page.indexOf('Lately'))).not.toContain('Over?</a>')
})

test('the inbox keeps in place what ended while the page showed it, but nothing of others', async () => {
  await using world = await pageWorld()
  const mine = await world.ask({ question: 'Mine?' }, 11 * MINUTE)
  const theirs = await world.ask({ question: 'Theirs?', workspaceId: 'ws_other' }, 11 * MINUTE)
  const page = await (await world.get(`/inbox?showing=${mine},${theirs},q_nonsense,,`)).text()
  expect(page).toContain('Mine?')
  expect(page).toContain('Expired')
  expect(page).not.toContain('Theirs?')
})

test('the heading of a session counts what is open, also beside rows that have ended', async () => {
  await using world = await pageWorld()
  const of = { machineId: 'm1', sessionId: 's1' }
  await world.work()
  await world.ask(of)
  await world.ask(of)
  const head = (page: string) => /class="group-head".*?<\/div>/s.exec(page)?.[0]
  expect(head(await (await world.get('/inbox')).text())).toContain('>2 questions<')
  const over = await world.ask({ ...of, status: 'cancelled', endedAt: Date.now() })
  const page = await (await world.get(`/inbox?showing=${over}`)).text()
  expect(head(page)).toContain('>2 of 3 still open<')
})

test('the inbox says once how a question ended', async () => {
  await using world = await pageWorld()
  const ids = await Promise.all([
    world.ask({ status: 'cancelled', endedAt: Date.now() }),
    world.ask({ status: 'stopped', endedAt: Date.now() }),
    world.ask({}, 11 * MINUTE),
  ])
  const page = await (await world.get(`/inbox?showing=${ids}`)).text()
  for (const [at, word] of ['Withdrawn', 'Stopped', 'Expired'].entries()) {
    const [, row = ''] = page.split(`id="card-${ids[at]}"`)
    expect(row.slice(0, row.indexOf('</article>')).split(word).length - 1).toBe(1)
  }
})

test('the inbox says what will appear when there is nothing', async () => {
  await using world = await pageWorld()
  expect(await (await world.get('/inbox')).text()).toContain('Welcome, Mara')
})

test('the activity pages back through everything, by day, and finds words', async () => {
  await using world = await pageWorld()
  for (let i = 0; i < 33; i++) await world.ask({ question: `Number ${i}?` }, i * MINUTE)
  await world.tell({ title: 'Needle in the hay', body: 'found' }, 50 * MINUTE)
  const first = await (await world.get('/activity')).text()
  expect(first).toContain('Number 0?')
  expect(first).not.toContain('Number 32?')
  const older = /href="(\/activity\?from=[^"]+)"/.exec(first)?.[1] ?? ''
  const second = await (await world.get(older)).text()
  expect(second).toContain('Number 32?')
  expect(second).toContain('Needle in the hay')

  const page = await (await world.get('/activity?q=NEEDLE+found')).text()
  expect(page).toContain('Needle in the hay')
  expect(page).not.toContain('Number 1?')
  expect(await (await world.get('/activity?q=unicorn')).text()).toContain('Nothing here has')
})

test('a made-up cursor is refused in a sentence', async () => {
  await using world = await pageWorld()
  const seen = await world.get('/activity?from=../../etc')
  expect([seen.status, (await seen.text()).includes('not one of ours')]).toEqual([400, true])
})

test('a notification shows all its details, and the question it carries can be answered there', async () => {
  await using world = await pageWorld()
  const questionId = await world.ask({ question: 'Roll back?' })
  const { id } = await world.tell({
    title: 'Deploy failed',
    questionId,
    context: {
      type: 'error',
      summary: 'Two of three regions',
      details: ['eu-1', 'us-1'],
      errorMessage: 'timeout after 30 s',
      errorFile: 'deploy.ts',
      filesChanged: ['infra/main.tf'],
      nextSteps: 'Look at the dashboard',
    },
  })
  const page = await (await world.get(`/n/${id}`)).text()
  for (const part of [
    'Deploy failed',
    'Two of three regions',
    'eu-1',
    'timeout after 30 s',
    'deploy.ts',
    'infra/main.tf',
    'Look at the dashboard',
    'Roll back?',
    'No device was reached',
  ]) {
    expect(page).toContain(part)
  }
})

test('what a card cannot show whole is only answered on its own page', async () => {
  await using world = await pageWorld()
  const contract = { allowedPaths: ['src/**'], offLimitsPaths: [], doneWhen: 'Green' }
  await world.ask({ origin: 'scope', question: 'This scope?', detail: { contract } })
  const page = await (await world.get('/inbox')).text()
  expect(page).toContain('Look closer')
  expect(page).not.toContain('value="yes"')
})

test('a row says the command itself, and what is dangerous about it before it is opened', async () => {
  await using world = await pageWorld()
  const rowOf = async (question: string, actionBody?: string, more = {}) => {
    const id = await world.ask({ question, detail: { ...(actionBody && { actionBody }) }, ...more })
    const page = await (await world.get('/inbox')).text()
    const [card = ''] = new RegExp(`<article id="card-${id}".*?</article>`, 's').exec(page) ?? []
    const [row = '', detail = ''] = card.split('</summary>')
    const words = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
    return { row: words(row), detail: words(detail) }
  }
  const harmless = await rowOf('Test it?', 'bun test')
  expect(harmless.row).toContain('bun test')
  expect(harmless.row).not.toContain('1 line')
  expect(harmless.detail).not.toContain('asked to confirm')

  const bucket = await rowOf('Go on?', 'aws s3 rb s3://backups --force')
  expect(bucket.row).toMatch(/This deletes stored files\. aws s3 rb s3:\/\/backups --force/)
  expect(bucket.detail).toContain('This deletes stored files. You will be asked to confirm.')

  const script = await rowOf('Run it?', 'echo a\nrm -rf /srv')
  expect(script.row).toMatch(/This deletes .* 2 lines/)
  expect((await rowOf('Apply it?', '-old\n+new\n+more')).row).toContain('+2 −1 in 1 file')
  expect((await rowOf('Long?', `echo ${'a'.repeat(3_000)}`)).row.length).toBeLessThan(400)

  // Only a yes is asked twice.
  const choices = [{ label: 'The old one' }, { label: 'None' }]
  const chosen = await rowOf('Delete which?', 'rm -rf /srv', { type: 'select', choices })
  expect(chosen.detail).toContain('This deletes')
  expect(chosen.detail).not.toContain('asked to confirm')
})

test('the inbox names sessions with an error, unless they wait for an answer or are gone', async () => {
  await using fresh = await pageWorld()
  const errored = { errored: true, agentName: 'Codex - shop' }
  await fresh.work({ ...errored, sessionId: 'e1', lastAction: 'failed build' })
  await fresh.work({ ...errored, sessionId: 'e2', lastAction: 'asked then' })
  await fresh.work({ ...errored, sessionId: 'e3', lastAction: 'long gone' }, 16 * 60_000)
  await fresh.ask({ machineId: 'm1', sessionId: 'e2' })
  const page = await (await fresh.get('/inbox')).text()
  const [, blocked = ''] =
    /<section class="lately" id="blocked"[^>]*>([\s\S]*?)<\/section>/.exec(page) ?? []
  expect(blocked).toContain('failed build')
  expect(blocked).not.toContain('asked then')
  expect(blocked).not.toContain('long gone')
})
