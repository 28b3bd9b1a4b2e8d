import { afterAll, beforeAll, expect, test } from 'bun:test'
import { REST_ROUTES } from '../../src/http/rest-routes.ts'
import type { Who } from '../../src/http/route.ts'
import { type As, type RestWorld, restWorld } from './rest-world.ts'

let world: RestWorld
beforeAll(async () => {
  world = await restWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** What each caller is told on a route for whom; a caller that is let in is not listed. */
const TURNED_AWAY: Record<Who, Partial<Record<As, number>>> = {
  agent: { nobody: 401, wrong: 401, member: 401, otherMember: 401 },
  person: { nobody: 401, wrong: 401, agent: 401, tester: 401 },
  // It reads what it is sent before it knows who sent it: there is nothing here.
  anyone: { nobody: 415, wrong: 415, agent: 415, member: 415 },
}

for (const { spec, who } of REST_ROUTES) {
  const { method } = spec
  const path = `/api/v1${spec.path.replace(/:\w+/g, 'x')}`

  test(`${method} ${spec.path} turns away whom it is not for`, async () => {
    for (const [as, status] of Object.entries(TURNED_AWAY[who])) {
      const answer = await world.call({ as: as as As, method, path })
      expect([as, answer.status]).toEqual([as, status])
    }
  })

  if (who === 'person' && method !== 'GET') {
    test(`${method} ${spec.path} is not for other sites, even with the cookie`, async () => {
      const { cookie = '' } = world.headersOf('member')
      const foreign = [
        { cookie },
        { cookie, origin: 'https://evil.example' },
        { cookie, origin: 'null' },
        { cookie, origin: 'http://localhost:8484', 'sec-fetch-site': 'cross-site' },
      ]
      for (const headers of foreign) {
        const { status } = await world.call({ method, path, headers })
        expect([headers.origin, status]).toEqual([headers.origin, 403])
      }
    })
  }
}

test('a token that was revoked is a wrong one', async () => {
  const path = '/api/v1/keys'
  const made = await world.call({ as: 'member', method: 'POST', path, body: { name: 'short' } })
  const { id, token } = made.body as { id: string; token: string }
  await world.call({ as: 'member', method: 'DELETE', path: `${path}/${id}` })
  for (const { spec, who } of REST_ROUTES) {
    if (who !== 'agent') continue
    const answer = await world.call({
      method: spec.method,
      path: `/api/v1${spec.path.replace(/:\w+/g, 'x')}`,
      headers: { authorization: `Bearer ${token}` },
    })
    expect([spec.path, answer.status]).toEqual([spec.path, 401])
  }
})
