import { afterAll, beforeAll, expect, test } from 'bun:test'
import { signInChecks, signInFromOutside } from '../../../src/ask/health/sign-in-checks.ts'
import { readDocumentFailure } from '../../../src/ask/oauth/document-failures.ts'
import { findClient } from '../../../src/ask/oauth/find-client.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { type OauthWorld, oauthWorld } from '../../support/oauth-world.ts'

// The hosts of two clients, with the certificate of this name.
const NAME = 'push.example.test'
const TLS = `${import.meta.dir}/../../fixtures/tls`
const WELL_KNOWN = [
  '/.well-known/oauth-authorization-server/oauth2',
  '/.well-known/openid-configuration/oauth2',
  '/oauth2/.well-known/openid-configuration',
]

type Stand = { clientId: string; answer: () => Response; close(): Promise<void> }

let world: OauthWorld
let ca: string
let claude: Stand
let codex: Stand

async function standIn(): Promise<Stand> {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { key: Bun.file(`${TLS}/key.pem`), cert: ca },
    fetch: () => stand.answer(),
  })
  const clientId = `https://${NAME}:${server.port}/client.json`
  const stand: Stand = {
    clientId,
    answer: () => documentOf(clientId),
    close: () => server.stop(true),
  }
  return stand
}

const documentOf = (clientId: string) =>
  Response.json({
    client_id: clientId,
    client_name: 'A client',
    redirect_uris: ['http://127.0.0.1/callback'],
  })

beforeAll(async () => {
  ca = await Bun.file(`${TLS}/cert.pem`).text()
  world = await oauthWorld({ env: { BECKON_OAUTH: 'on' } })
  claude = await standIn()
  codex = await standIn()
})
afterAll(async () => {
  await claude.close()
  await codex.close()
  await world[Symbol.asyncDispose]()
})

// Each sign-in is a day after the one before, so that no document is fresh.
let signIns = 0

/** A person signs in with this client. */
function signIn(clientId: string) {
  signIns++
  const at = Date.now() + signIns * 25 * 3_600_000
  return findClient(
    {
      db: world.db,
      clock: { ...systemClock, now: () => at },
      outside: createGuardedFetch({
        allowPrivateHosts: [NAME],
        resolve: async () => ['127.0.0.1'],
        ca,
      }),
    },
    clientId,
    { workspaceId: world.workspaceId },
  )
}

async function offered(url = world.url): Promise<unknown[]> {
  const all = WELL_KNOWN.map(async (path) => {
    const metadata = await (await fetch(url + path)).json()
    return [metadata.client_id_metadata_document_supported, metadata.beckon_client_documents]
  })
  return await Promise.all(all)
}

const everywhere = (...values: unknown[]) => WELL_KNOWN.map(() => values)
const { addressesOf } = createGuardedFetch()

async function documentsLine() {
  const checks = await signInFromOutside(world.app.baseUrl, addressesOf)
  expect(checks[0]).toMatchObject({ name: 'Sign-in of clients', state: 'ok' })
  return checks.find(({ name }) => name === 'Documents of clients')
}

test('client documents are offered until fetching one fails, and again once it is fetched', async () => {
  expect(await signIn(claude.clientId)).toHaveProperty('client')
  expect(await offered()).toEqual(everywhere(true, undefined))
  expect(await documentsLine()).toMatchObject({ state: 'ok' })

  claude.answer = () => new Response('<title>Just a moment</title>', { status: 403 })
  const refused = await signIn(claude.clientId)
  expect('problem' in refused && refused.problem).toMatch(/It answers 403\. .* once more/)
  expect(await offered()).toEqual(everywhere(false, 'failing'))
  expect(await documentsLine()).toMatchObject({ state: 'warn' })

  // Where the database can be read, the doctor names which.
  const failure = await readDocumentFailure(world.db.read)
  const { baseUrl } = world.app
  const here = await signInChecks({ baseUrl, oauth: true }, world.url, addressesOf, failure)
  expect(here).toContainEqual(
    expect.objectContaining({
      name: 'Documents of clients',
      said: expect.stringContaining(`${claude.clientId} (It answers 403.)`),
    }),
  )

  // That another client's document can be fetched says nothing about this one's.
  expect(await signIn(codex.clientId)).toHaveProperty('client')
  expect(await offered()).toEqual(everywhere(false, 'failing'))
  claude.answer = () => documentOf(claude.clientId)
  expect(await signIn(claude.clientId)).toHaveProperty('client')
  expect(await offered()).toEqual(everywhere(true, undefined))
})

test('a document that does not count is no failure of ours', async () => {
  for (const answer of [
    () => new Response('', { status: 404 }),
    () => Response.json({ client_id: 'https://a.example/x' }),
    () => Response.redirect('https://a.example/', 302),
  ]) {
    claude.answer = answer
    expect(await signIn(claude.clientId)).toMatchObject({
      problem: expect.stringContaining('does not count'),
    })
    expect(await offered()).toEqual(everywhere(true, undefined))
  }
})

test('a client can register while they are not offered', async () => {
  await claude.close()
  expect(await signIn(claude.clientId)).toHaveProperty('problem')
  expect(await offered()).toEqual(everywhere(false, 'failing'))
  expect((await world.signIn()).access).toMatch(/\w{20}/)
})

test('switched off, they are never offered, and the doctor says why', async () => {
  await using off = await oauthWorld({
    env: { BECKON_OAUTH: 'on', BECKON_OAUTH_CLIENT_DOCUMENTS: 'off' },
  })
  expect(await offered(off.url)).toEqual(everywhere(false, 'off'))
  const checks = await signInFromOutside(off.app.baseUrl, addressesOf)
  expect(checks.slice(0, 2)).toEqual([
    expect.objectContaining({ name: 'Sign-in of clients', state: 'ok' }),
    expect.objectContaining({
      state: 'skip',
      said: expect.stringContaining('BECKON_OAUTH_CLIENT_DOCUMENTS'),
    }),
  ])
})
