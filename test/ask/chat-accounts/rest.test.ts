import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { putAccount } from '../../../src/ask/chat-accounts/model/store.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword, signInAs } from '../../support/sign-in.ts'

let world: PageWorld
const people = {} as Record<'ana' | 'bob', Person>
beforeAll(async () => {
  world = await pageWorld()
  const { db, workspaceId } = world
  for (const name of ['ana', 'bob'] as const) {
    const who = { email: `${name}@example.org`, name, role: 'member' } as const
    people[name] = await addPersonWithPassword({ db, clock }, who)
    const of = { workspaceId, personId: people[name].id, label: `@${name}`, createdAt: 1 }
    await db.write((tx) => putAccount(tx, { ...of, service: 'slack', account: `T1/U ${name}` }))
  }
})
afterAll(() => world[Symbol.asyncDispose]())

async function call(method: string, path: string, cookie: string) {
  const response = await fetch(`${world.url}/api/v1/chat-accounts${path}`, {
    method,
    headers: { origin: world.url, cookie },
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}
const labels = async (cookie: string) =>
  (await call('GET', '', cookie)).body.accounts.map(({ label }: { label: string }) => label)

test('a person lists and unlinks their own accounts alone; an owner those of all', async () => {
  const ana = await signInAs(world.app, people.ana.id)
  expect(await labels(ana)).toEqual(['@ana'])
  expect(await labels(world.cookie)).toEqual(['@ana', '@bob'])
  const path = (name: string) => `/slack/${encodeURIComponent(`T1/U ${name}`)}`
  expect((await call('DELETE', path('bob'), ana)).status).toBe(404)
  expect((await call('DELETE', path('ana'), ana)).status).toBe(204)
  expect((await call('DELETE', path('ana'), ana)).status).toBe(404)
  expect((await call('DELETE', path('bob'), world.cookie)).status).toBe(204)
  expect(await labels(world.cookie)).toEqual([])
})
