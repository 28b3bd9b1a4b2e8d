import { expect, test } from 'bun:test'
import { addUsage, readUsage } from '../../../src/ask/accounts/model/usage-store.ts'
import { addPerson } from '../../../src/ask/people/people.ts'
import { recountTokens } from '../../../src/ask/retention/recount-tokens.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { pageWorld } from '../../support/page-world.ts'

const CALL = 'application/json'

/** A server with two tokens, one of which has asked and told. */
async function usedWorld() {
  const world = await pageWorld()
  const { db, workspaceId } = world
  const deps = { db, clock: systemClock }
  const make = (name: string) => createToken(deps, { workspaceId, name })
  const [busy, calm] = [await make('Busy'), await make('Calm')]
  const send = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${busy.token}`, 'content-type': CALL }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`${world.url}/api/v1${path}`, init)).json()
  }
  let asks = 0
  // An identical question would join the one that is open.
  const ask = () => send('/questions', { question: `Deploy ${asks++}?`, wait: false })
  const tell = () => send('/notifications', { title: 'Built it', body: 'All green.' })
  return { world, deps, busy: busy.record, calm: calm.record, ask, tell, send }
}

test('the page says what a token has used of its limits, and what is nearly all', async () => {
  const { world, deps, busy, ask, tell } = await usedWorld()
  await using _ = world
  const page = async () =>
    (await (await world.get('/settings/tokens')).text()).replace(/<[^>]+>/g, '')
  expect(await page()).not.toContain('open questions')
  await ask()
  await ask()
  await tell()
  expect(await page()).toContain('2 of 1,000 open questions')
  expect(await page()).toContain('under 0.1 of 200 MB kept')
  const { workspaceId, id: tokenId } = busy
  const much = { tokenId, workspaceId, openQuestions: 900, bytes: 12_340_000, at: Date.now() }
  await deps.db.write((tx) => addUsage(tx, { ...much, bytesAnHour: 20_000_000 }))
  expect(await page()).toContain('902 of 1,000 open questions – nearly all')
  expect(await page()).toMatch(/12 of 20 MB this hour(?! – nearly)/)
})

test('"Empty" removes what has ended, for good, and leaves what is open and other tokens alone', async () => {
  const { world, deps, busy, calm, ask, tell, send } = await usedWorld()
  await using _ = world
  const [open, ended] = [await ask(), await ask()]
  await send(`/questions/${ended.correlationId}/cancel`, {})
  await tell()
  const other = await world.tell({ tokenId: calm.id })
  const emptied = await world.post(`/settings/tokens/${busy.id}/empty`, {})
  expect([emptied.status, emptied.headers.get('location')]).toEqual([303, '/settings/tokens'])
  const activity = await (await world.get('/api/v1/activity')).text()
  expect(activity).toContain(open.correlationId)
  expect(activity).toContain(other.id)
  expect(activity).not.toContain(ended.correlationId)
  expect(activity).not.toContain('Built it')
  const usage = (await readUsage(deps.db.read, [busy.id])).get(busy.id)
  expect(usage?.openQuestions).toBe(1)
  expect(await recountTokens(deps.db)).toBe(0)
  const trail = await (await world.get('/api/v1/audit?kind=token.emptied')).json()
  expect(trail.entries).toMatchObject([{ person: 'Mara Lindqvist', subject: 'Busy' }])
})

test('a member empties the tokens they made, and no other', async () => {
  const { world, deps, busy, ask } = await usedWorld()
  await using _ = world
  await ask()
  const who = { email: 'eve@example.org', name: 'Eve', password: 'correct horse battery' }
  const { person } = await addPerson(deps, who)
  const own = await createToken(deps, {
    workspaceId: world.workspaceId,
    name: 'Own',
    by: person.id,
  })
  const signIn = await world.post(
    '/sign-in',
    { email: who.email, password: who.password },
    { cookie: '' },
  )
  const cookie = signIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const empty = async (id: string) =>
    (await world.post(`/settings/tokens/${id}/empty`, {}, { cookie })).status
  expect([await empty(own.record.id), await empty(busy.id), await empty('key_none')]).toEqual([
    303, 403, 404,
  ])
})
