import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import { listRules } from '../../../src/ask/policy/model/store.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { MARKUP } from '../../support/hostile-corpus.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const NEW = '/settings/rules/new'
const FORM = {
  ...{ agentName: '', toolName: 'Bash', toolTarget: '', repoKey: '', machineId: '' },
  ...{ decision: '', mode: '', onTimeout: '', wait: '', grace: '', tags: '' },
}
const words = (page: string) => page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

async function tryIt(fields: Partial<typeof FORM>, path = NEW): Promise<string> {
  const response = await world.post(path, { ...FORM, ...fields, try: 'yes' })
  expect(response.status).toBe(200)
  return words(await response.text())
}

test('a rule is said in words and tried on what was asked, before it is saved', async () => {
  expect(await tryIt({ mode: 'push_only' })).toContain('No call has been made yet to try it on.')
  const bash = (toolTarget: string) => ({ toolName: 'Bash', toolTarget, action: toolTarget })
  await world.ask({ detail: bash('npm test') })
  await world.ask({ detail: bash('npm test && rm -rf /') })
  await world.ask({ detail: bash('ls') })
  await world.ask({ question: 'Which colour?' })
  await world.ask({ detail: bash('npm test'), test: true })
  const text = await tryIt({ toolTarget: 'npm test*', decision: 'allow' })
  expect(text).toContain('When an agent runs Bash on npm test* , allow it without asking .')
  expect(text).toContain(
    'It would have decided 1 of the last 4 calls, and 1 would still have been asked.',
  )
  expect(text).toMatch(/Bash on npm test An agent · allowed/)
  // What is joined to it is never allowed by a rule.
  expect(text).toMatch(/Bash on npm test &amp;&amp; rm -rf \/ An agent · still asked/)
  expect(text).toContain('A scope that holds at that time may still ask.')
  expect(await listRules(world.db.read, world.workspaceId)).toEqual([])
})

test('where a more specific rule decides, it says so', async () => {
  const { db, workspaceId } = world
  const match = { toolName: 'Bash', toolTarget: 'ls' }
  const { id } = await addRule({ db, clock }, workspaceId, { match, decision: 'deny' })
  const text = await tryIt({ mode: 'notify_only' })
  expect(text).toContain('It would have decided 2 of the last 4 calls.')
  expect(text).toContain('One more matches, but a more specific rule decides.')
  // A rule that is there is tried as it is typed, not as it is saved.
  const own = await tryIt({ toolTarget: 'ls', mode: 'push_only' }, `/settings/rules/${id}`)
  expect(own).toContain('It would have decided 1 of the last 4 calls.')
  expect(own).toContain('· asked this way')
  const page = words(await (await world.get(`/settings/rules/${id}`)).text())
  expect(page).toContain('· declined')
})

test('what is wrong is named before anything is tried', async () => {
  const response = await world.post(NEW, { ...FORM, wait: '2 h', try: 'yes' })
  expect(response.status).toBe(422)
  const page = await response.text()
  expect(page).toContain('Must be a time like 45 s or 1 min, 1 s to 55 s.')
  expect(page).toContain('value="2 h"')
  expect(page).not.toContain('id="tried"')
})

test('names that were seen are suggested, at most thirty of a kind, hostile ones as text', async () => {
  const [hostile = ''] = MARKUP.filter((text) => text.includes('<script'))
  for (let i = 0; i < 40; i++) await world.ask({ agentName: `Agent ${i}`, repoKey: `repo-${i}` })
  await world.ask({ agentName: hostile.slice(0, 90), detail: { toolName: 'Deploy' } })
  const page = await (await world.get(NEW)).text()
  const offers = (name: string) =>
    new RegExp(`id="${name}-offers">(.*?)</datalist>`, 's').exec(page)?.[1] ?? ''
  expect(offers('agentName').match(/<option/g)).toHaveLength(30)
  expect(offers('agentName')).toContain('value="Agent 39"')
  expect(offers('toolName')).toContain('value="Deploy"')
  expect(page).not.toContain('<script>alert')
})

test('an address fills the editor in, and saves nothing', async () => {
  const page = await (
    await world.get(`${NEW}?toolName=Bash&toolTarget=git%20push&decision=allow&wait=50%20s`)
  ).text()
  for (const value of ['Bash', 'git push', '50 s']) expect(page).toContain(`value="${value}"`)
  expect(page).toContain('<option value="allow" selected')
})

test('the fail-over of a rule is on its page, and stays when the rest is changed', async () => {
  const { db, workspaceId } = world
  const people = await (await world.get(NEW)).text()
  const mara = /<option value="(\w+)">Mara Lindqvist/.exec(people)?.[1] ?? ''
  const { id } = await addRule({ db, clock }, workspaceId, {
    match: { toolName: 'Deploy' },
    set: { failoverMs: 300_000, failoverTo: [mara] },
  })
  const page = await (await world.get(`/settings/rules/${id}`)).text()
  expect(page).toContain('value="5 min"')
  expect(words(page)).toContain('tell the next person after 5 min')
  await world.post(`/settings/rules/${id}`, { ...FORM, toolName: 'Deploy', wait: '50 s' })
  const saved = (await listRules(db.read, workspaceId)).find((rule) => rule.id === id)
  expect(saved?.set).toEqual({ waitMs: 50_000, failoverMs: 300_000, failoverTo: [mara] })
})
