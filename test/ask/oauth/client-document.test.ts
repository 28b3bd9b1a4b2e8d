import { afterAll, beforeAll, expect, test } from 'bun:test'
import { findClient } from '../../../src/ask/oauth/find-client.ts'
import { isDocumentAddress, readDocument } from '../../../src/ask/oauth/read-document.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { type OauthWorld, oauthWorld } from '../../support/oauth-world.ts'

// Somebody else's server, with the certificate of this name.
const NAME = 'push.example.test'
const TLS = `${import.meta.dir}/../../fixtures/tls`
const SITE = `https://${NAME}/callback`

let world: OauthWorld
let server: Bun.Server<undefined>
let ca: string
let clientId: string
let answer: (request: Request) => Response | Promise<Response>
let visits = 0

beforeAll(async () => {
  world = await oauthWorld()
  ca = await Bun.file(`${TLS}/cert.pem`).text()
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { key: Bun.file(`${TLS}/key.pem`), cert: ca },
    fetch: (request) => {
      visits++
      return answer(request)
    },
  })
  clientId = `https://${NAME}:${server.port}/client.json`
})
afterAll(async () => {
  await server.stop(true)
  await world[Symbol.asyncDispose]()
})

const guard = () =>
  createGuardedFetch({ allowPrivateHosts: [NAME], resolve: async () => ['127.0.0.1'], ca })

const documentWith = (changes: object = {}) => ({
  client_id: clientId,
  client_name: 'A hosted client',
  redirect_uris: [SITE],
  grant_types: ['authorization_code', 'refresh_token'],
  ...changes,
})
const json = (body: unknown, headers = {}) => Response.json(body, { headers })

test('whole, and by its own address', async () => {
  answer = () => json(documentWith())
  expect(await readDocument(guard(), clientId)).toMatchObject({
    outcome: 'read',
    metadata: { name: 'A hosted client', redirectUris: [SITE], authMethod: 'none' },
  })
})

test.each([
  ['is huge', () => json(documentWith({ more: 'x'.repeat(40_000) })), 'longer than 32 KiB'],
  [
    'never ends',
    () => new Response(endless(), { headers: { 'content-type': 'application/json' } }),
    'longer than 32 KiB',
  ],
  ['redirects', () => Response.redirect('https://evil.example/', 302), 'redirects'],
  ['is not there', () => new Response('', { status: 404 }), '404'],
  ['is a page', () => new Response('<p>', { headers: { 'content-type': 'text/html' } }), 'JSON'],
  ['is a list', () => json([]), 'object'],
  [
    'is broken',
    () => new Response('{', { headers: { 'content-type': 'application/json' } }),
    'object',
  ],
  [
    'names another client',
    () => json(documentWith({ client_id: 'https://a.example/x' })),
    'own address',
  ],
  ['names none', () => json({ ...documentWith(), client_id: undefined }), 'own address'],
  ['has a secret', () => json(documentWith({ client_secret: 'x' })), 'client_secret'],
  ['has no addresses', () => json(documentWith({ redirect_uris: [] })), 'redirect_uris'],
  ['has a script', () => json(documentWith({ redirect_uris: ['javascript:1'] })), 'must be https'],
])('one that %s is refused', async (_, reply, why) => {
  answer = reply
  const read = await readDocument(guard(), clientId)
  expect(read).toEqual({ outcome: 'refused', reason: expect.stringContaining(why) })
})

test('what it says of proofs is not believed: a document is public', async () => {
  answer = () => json(documentWith({ token_endpoint_auth_method: 'private_key_jwt' }))
  const read = await readDocument(guard(), clientId)
  expect(read).toMatchObject({ outcome: 'read', metadata: { authMethod: 'none' } })
})

test.each([
  'http://push.example.test/client.json',
  'https://push.example.test/',
  'https://push.example.test',
  'https://u:p@push.example.test/c.json',
  'https://push.example.test/c.json#x',
  'https://push.example.test/a/../c.json',
  'https://PUSH.example.test/c.json',
  `https://push.example.test/${'x'.repeat(1_000)}`,
  'ftp://push.example.test/c.json',
])('nothing private is reached, however it is written: %s is no address of a document', (id) =>
  expect(isDocumentAddress(id)).toBe(false),
)

test.each([
  'https://127.0.0.1/c.json',
  'https://localhost/c.json',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/c.json',
  'https://10.0.0.1/c.json',
  'https://127.0.0.1.:22/c.json',
])(
  'nothing private is reached, however it is written: %s is shown to the person as a client that cannot be connected',
  async (id) => {
    const response = await world.authorize(world.query(id, { redirect_uri: SITE }))
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    expect(await response.text()).toContain('cannot be connected')
  },
)

test('a name that turns out to be private', async () => {
  visits = 0
  const rebound = createGuardedFetch({ resolve: async () => ['127.0.0.1'], ca })
  expect((await readDocument(rebound, clientId)).outcome).toBe('refused')
  expect(visits).toBe(0)
})

let now = Date.now()
const clock = { now: () => now } as never
const find = () =>
  findClient({ db: world.db, clock, outside: guard() }, clientId, { workspaceId: 'ws_x' })

test('a document that changes is fetched again after as long as it says, within bounds, and refused when it is gone', async () => {
  answer = () => json(documentWith(), { 'cache-control': 'max-age=600' })
  visits = 0
  expect(await find()).toMatchObject({ client: { name: 'A hosted client', kind: 'document' } })
  await find()
  expect(visits).toBe(1)
  now += 599_000
  await find()
  expect(visits).toBe(1)
  now += 2_000
  answer = () => json(documentWith({ client_name: 'Renamed' }), { 'cache-control': 'no-store' })
  expect(await find()).toMatchObject({ client: { name: 'Renamed' } })
  // Not more often than every five minutes, whatever it says.
  now += 299_000
  await find()
  expect(visits).toBe(2)
  now += 2_000
  answer = () => new Response('', { status: 410 })
  expect(await find()).toMatchObject({ problem: expect.stringContaining('410') })
  answer = () => json(documentWith(), { 'cache-control': 'max-age=99999999' })
  expect(await find()).toMatchObject({ client: { name: 'A hosted client' } })
  now += 25 * 3_600_000
  visits = 0
  await find()
  expect(visits).toBe(1)
})

test('a document that changes is asked about again, and its old address is no longer answered', async () => {
  answer = () => json(documentWith(), { 'cache-control': 'max-age=86400' })
  now += 25 * 3_600_000
  await find()
  const query = world.query(clientId, { redirect_uri: SITE })
  const page = await (await world.authorize(query)).text()
  expect(page).toContain(`<b>${NAME}:${server.port}</b>`)
  await world.allow(query)
  const silent = await world.authorize(query)
  expect(new URL(silent.headers.get('location') ?? '').searchParams.get('code')).not.toBeNull()
  now += 25 * 3_600_000
  answer = () => json(documentWith({ client_name: 'Your bank' }))
  await find()
  expect((await world.authorize(query)).status).toBe(200)
  now += 25 * 3_600_000
  answer = () => json(documentWith({ redirect_uris: ['https://elsewhere.example/'] }))
  await find()
  expect((await world.authorize(query)).status).toBe(400)
})

function endless() {
  const piece = new TextEncoder().encode(' '.repeat(4_096))
  return new ReadableStream({ pull: (sink) => sink.enqueue(piece) })
}
