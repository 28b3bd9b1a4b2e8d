import { expect, test } from 'bun:test'
import type { Question } from '../../../src/ask/questions/model/question.ts'
import { type HookSighting, sightHook } from '../../../src/ask/scopes/model/hook-store.ts'
import { findContract, insertWidening } from '../../../src/ask/scopes/model/store.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

const S1 = { machineId: 'm1', sessionId: 's1' }
const CONTRACT = {
  allowedPaths: ['src/login', 'src/login/**'],
  offLimitsPaths: ['**/.env', '.env'],
  doneWhen: 'The login page has tests.',
  promises: ['No new dependencies'],
}
const SCOPE: Partial<Question> = { ...S1, origin: 'scope', detail: { contract: CONTRACT } }
const FILES = ['src/login/a.ts', 'src/login/b.ts', 'src/api/c.ts', 'web/.env', 'README.md']

const hook = (world: PageWorld, examplePaths: string[] = FILES, more: Partial<HookSighting> = {}) =>
  world.db.write((tx) =>
    sightHook(tx, {
      workspaceId: world.workspaceId,
      ...S1,
      client: 'claude',
      clientVersion: '2.1.300',
      examplePaths,
      at: systemClock.now(),
      ended: false,
      ...more,
    }),
  )

const text = async (world: PageWorld, path: string) => (await world.get(path)).text()
const yes = (world: PageWorld, id: string, form: Record<string, string>) =>
  world.post(`/d/${id}/answer`, { from: 'decide_page', value: 'yes', ...form })

test('hostile paths of a hook, and of an agent, are text', async () => {
  await using world = await pageWorld()
  const hostile = ['<img src=x onerror=alert(1)>', '"><script>alert(1)</script>', '</textarea><b>x']
  const contract = { ...CONTRACT, allowedPaths: hostile, offLimitsPaths: hostile }
  const id = await world.ask({ ...SCOPE, detail: { contract } })
  await hook(world, hostile)
  const page = await text(world, `/d/${id}`)
  expect(page).toContain('for 3 files that the hook named')
  for (const part of ['<img', '<script>alert', '</textarea><b>']) expect(page).not.toContain(part)
})

test('a path with letters that look like others is marked', async () => {
  await using world = await pageWorld()
  const marked = async (allowedPaths: string[]) => {
    const contract = { ...CONTRACT, allowedPaths }
    const id = await world.ask({ ...SCOPE, detail: { contract } })
    return (await text(world, `/d/${id}`)).split('letters that look like others').length - 1
  }
  expect(await marked(['src/**', 'іnfra/a'])).toBe(1)
  expect(await marked(['src/**', 'docs'])).toBe(0)
})

test('the page of a scope shows the short lists, and what they come to in the files that the hook named', async () => {
  await using world = await pageWorld()
  const id = await world.ask(SCOPE)
  expect(await text(world, `/d/${id}`)).toContain('no hook reports this session')
  await hook(world)
  const page = await text(world, `/d/${id}`)
  expect(page).not.toContain('<code>src/login/**</code>')
  expect(page).toContain('for 5 files that the hook named')
  for (const part of ['<b>2</b> allowed', '<b>2</b> asked about each time', '<b>1</b> blocked']) {
    expect(page).toContain(part)
  }
})

test('edited lists are judged before anything is answered', async () => {
  await using world = await pageWorld()
  const id = await world.ask(SCOPE)
  await hook(world)
  const show = async (allowed: string, offLimits = '') =>
    (await world.post(`/d/${id}/scope`, { allowed, offLimits })).text()
  const page = await show('src\r\n\r\nREADME.md')
  expect(page).toContain('<b>4</b> allowed')
  expect(page).toContain('README.md</textarea>')
  expect(await show('src\n../up')).toContain('May change: (../up) must not contain ..')
  expect(await show('<img src=x onerror=1>')).not.toContain('<img')
  expect(await text(world, `/d/${id}`)).toContain('data-version="pending"')
})

test('a yes takes the edited lists with it, a no leaves them', async () => {
  await using world = await pageWorld()
  const id = await world.ask(SCOPE)
  const readContract = (question = id) => findContract(world.db.read, world.workspaceId, question)
  const wrong = await yes(world, id, { allowed: '!src', offLimits: '' })
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).toContain('must not begin with !')
  expect(await readContract()).toBeUndefined()
  await yes(world, id, { allowed: 'src/login\ndocs', offLimits: '**/.env' })
  expect(await readContract()).toMatchObject({
    edited: true,
    allowedPaths: ['src/login', 'src/login/**', 'docs', 'docs/**'],
    offLimitsPaths: ['**/.env', '.env'],
  })
  expect(await text(world, `/d/${id}`)).toContain('Edited before they were agreed to')

  const no = await world.ask(SCOPE)
  await yes(world, no, { value: 'no', allowed: 'docs', offLimits: '', note: 'Only docs.' })
  expect(await readContract(no)).toBeUndefined()

  const same = await world.ask(SCOPE)
  await yes(world, same, { allowed: 'src/login', offLimits: '**/.env' })
  expect((await readContract(same))?.edited).toBe(false)
})

test('a yes that is asked for twice keeps the edited lists', async () => {
  await using world = await pageWorld()
  const question = 'Agree to this scope? Done when: rm -rf / was run.'
  const id = await world.ask({ ...SCOPE, question })
  const twice = await (await yes(world, id, { allowed: 'docs', offLimits: '' })).text()
  expect(twice).toContain('name="allowed" value="docs"')
  expect(twice).toContain('name="offLimits" value')
})

test('the live page tells what holds, what was added, and what became of the others', async () => {
  await using world = await pageWorld()
  const session = await world.work(S1)
  const at = systemClock.now()
  const answered = (
    value: string,
    endedAt: number,
    detail: Question['detail'] = { contract: CONTRACT },
  ) => ({
    ...SCOPE,
    ...({ status: 'answered', value, endedAt, detail } as const),
  })
  const older = { contract: { ...CONTRACT, doneWhen: 'The old aim.' } }
  await world.ask(answered('yes', at - 5_000, older))
  const refused = { contract: { ...CONTRACT, doneWhen: 'Too much.' } }
  await world.ask({ ...answered('no', at - 4_000, refused), note: 'Smaller, please.' })
  const id = await world.ask(answered('yes', at - 3_000))
  await world.db.write((tx) =>
    insertWidening(tx, {
      questionId: 'q_w',
      contractId: id,
      workspaceId: world.workspaceId,
      path: 'docs/<b>.md',
      at,
    }),
  )
  const page = await text(world, `/live/${session}`)
  for (const part of ['The old aim.', 'Replaced', 'Smaller, please.', 'Declined', 'Added since']) {
    expect(page).toContain(part)
  }
  expect(page).toContain('docs/&lt;b>.md')
  expect(page).toContain('nothing checks these paths')
  await hook(world)
  const watched = await text(world, `/live/${session}`)
  expect(watched).toContain('Not yet confirmed by the hook of Claude Code 2.1.300')
  await hook(world, FILES, { contractEtag: `${id}.1` })
  const confirmed = await text(world, `/live/${session}`)
  expect(confirmed).toContain('Checked by the hook of Claude Code 2.1.300')
  expect(watched).toContain('whether shell commands are contained is not known')
  await hook(world, FILES, { contained: 'namespaces' })
  expect(await text(world, `/live/${session}`)).toContain('contained by the kernel')
  await hook(world, FILES, { contained: 'none', machineId: 'm2' })
  expect(await text(world, `/live/${session}`)).toContain('judged by their text, not contained')
})

test('two agreed to at once: one holds, and the other is replaced', async () => {
  await using world = await pageWorld()
  const session = await world.work(S1)
  const ended = { ...SCOPE, status: 'answered', value: 'yes', endedAt: systemClock.now() } as const
  await world.ask(ended)
  await world.ask(ended)
  const page = await text(world, `/live/${session}`)
  expect(page.split('Replaced').length).toBe(2)
  expect(page.split('What it may do').length).toBe(2)
})

test('paths that nobody has show where the patterns of a scope end, with a hook and without', async () => {
  await using world = await pageWorld()
  const contract = { allowedPaths: ['src/**'], offLimitsPaths: ['config/prod*'], doneWhen: 'x' }
  const id = await world.ask({ type: 'confirm', origin: 'scope', detail: { contract } as never })
  const page = await text(world, `/d/${id}`)
  const exampleOf = (word: string) => page.split(`${word}, for example`)[1]?.split('</dd>')[0] ?? ''
  expect(exampleOf('Off limits')).toContain('<code>config/prod/notes.txt</code>')
  expect(exampleOf('Outside')).toContain('<code>config/other.txt</code>')
  expect(exampleOf('Within')).toContain('<code>src/')
})
