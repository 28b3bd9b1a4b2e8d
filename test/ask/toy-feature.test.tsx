/** @jsxImportSource preact */
import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import type { Feature } from '../../src/ask/feature.ts'
import { Layout } from '../../src/ask/pages/layout.tsx'
import { pagesWith, signedInPage } from '../../src/ask/pages/page.ts'
import type { SignedIn } from '../../src/ask/pages/visit.ts'
import { personRoute, withDeps } from '../../src/ask/rest/route.ts'
import { Failure, type OwnFailure } from '../../src/platform/failure.ts'
import { type Id, newId } from '../../src/platform/ids.ts'
import { html } from '../../src/platform/web/respond.ts'
import { pageWorld } from '../support/page-world.ts'

declare module '../../src/platform/db/change-bus.ts' {
  interface Topics {
    tick: true
  }
}

type TickId = Id<'tick'>

type Deps = { tick: () => number }

const getTicks = personRoute(
  {
    method: 'GET',
    path: '/ticks',
    summary: 'How often it ticked.',
    result: Type.Object({ ticks: Type.Integer() }),
  },
  async ({ tick }: Deps) => ({ ticks: tick() }),
)

const OVERWOUND: OwnFailure = { code: 'overwound', status: 409, title: 'The spring is tight' }

const postTicks = personRoute(
  {
    method: 'POST',
    path: '/ticks',
    summary: 'Winds it up.',
    problems: [OVERWOUND],
  },
  async () => {
    throw new Failure(OVERWOUND, 'It is wound up already; let it run first.')
  },
)

const showTicks = ({ tick }: Deps, visit: SignedIn) =>
  html(
    <Layout visit={visit} title="Ticks">
      <p>Ticked {tick()} times</p>
    </Layout>,
  )

/** A feature that only this test knows; `done` hears that it was begun and ended. */
function ticks(done: string[]): Feature {
  const deps = { tick: () => 7 }
  return {
    routes: async () => withDeps(deps, [getTicks, postTicks]),
    pages: async () => pagesWith(deps, [signedInPage('GET', '/ticks', showTicks)]),
    settings: async () => [
      {
        ...{ group: 'server', to: '/ticks', icon: 'clock', name: 'Ticks' },
        state: async () => ({ words: `${deps.tick()} so far` }),
      },
    ],
    jobs: [
      () => {
        done.push('begun')
        return { [Symbol.dispose]: () => void done.push('ended') }
      },
    ],
    close: async () => void done.push('closed'),
  }
}

test('a page and a route are values in the lists of a feature: guarded, shown, described', async () => {
  const done: string[] = []
  {
    await using world = await pageWorld({ more: [ticks(done)] })
    const page = await world.get('/ticks')
    expect(await page.text()).toContain('Ticked 7 times')
    const settings = await (await world.get('/settings')).text()
    expect(settings).toMatch(/href="\/ticks".*Ticks.*7 so far/)
    const stranger = await world.get('/ticks', '')
    expect([stranger.status, stranger.headers.get('location')]).toEqual([
      303,
      '/sign-in?next=%2Fticks',
    ])
    expect(await (await world.get('/api/v1/ticks')).json()).toEqual({ ticks: 7 })
    expect((await world.get('/api/v1/ticks', '')).status).toBe(401)
    expect(await (await world.get('/openapi.json')).text()).toContain('How often it ticked.')
    expect(done).toEqual(['begun'])
  }
  expect(done).toEqual(['begun', 'closed', 'ended'])
})

test('a feature declares the prefix of its ids and the topic of its changes', async () => {
  await using world = await pageWorld()
  const id: TickId = newId('tick', 0)
  const announced: string[] = []
  world.db.changes.on('tick', undefined, (changed) => announced.push(changed))
  await world.db.write(async (tx) => tx.emit('tick', id))
  expect(announced).toEqual([id])
  expect(id).toStartWith('tick_')
})

test('a feature declares its failures: they are answered, and described with its routes', async () => {
  await using world = await pageWorld({ more: [ticks([])] })
  const headers = { cookie: world.cookie, origin: world.url }
  const refused = await fetch(`${world.url}/api/v1/ticks`, { method: 'POST', headers })
  const { code, status, title } = OVERWOUND
  expect([refused.status, await refused.json()]).toMatchObject([409, { code, status, title }])
  const { paths, components } = await (await world.get('/openapi.json')).json()
  expect(paths['/api/v1/ticks'].post.responses[status].description).toBe(title)
  expect(components.schemas.Problem.properties.code.enum).toContain(code)
})
