import { expect, test } from 'bun:test'
import { oauthFor } from '../../../src/ask/oauth/switched-on.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { loadSecrets } from '../../../src/platform/db/settings-store.ts'
import { oauthWorld } from '../../support/oauth-world.ts'
import { startedApp } from '../../support/started-app.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const PATHS = [
  ...['/mcp', '/oauth2/token', '/oauth2/register', '/oauth2/authorize', '/settings/clients'],
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server/oauth2',
]

test('switched off it has no address, and an owner is told how to switch it on', async () => {
  await using world = await oauthWorld({ env: { BECKON_OAUTH: 'off' } })
  for (const path of PATHS) expect([path, (await world.get(path)).status]).toEqual([path, 404])
  expect(await (await world.get('/settings/tokens')).text()).toContain('BECKON_OAUTH=on')
})

test('switched off, a program is told so in JSON and a person on a page', async () => {
  await using world = await oauthWorld({ env: { BECKON_OAUTH: 'off' } })
  const kind = async (path: string) => (await world.get(path)).headers.get('content-type')
  for (const path of ['/mcp', '/oauth2/token', '/oauth2/register', '/oauth2/revoke']) {
    expect([path, await kind(path)]).toEqual([path, 'application/problem+json'])
  }
  expect(await kind('/oauth2/authorize')).toBe('text/html; charset=utf-8')
})

test('switched on it has its own addresses and no other: none at the root, none for the others', async () => {
  await using world = await oauthWorld()
  for (const path of PATHS.slice(1)) {
    expect([path, (await world.get(path)).status]).not.toEqual([path, 404])
  }
  for (const path of [
    ...['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration'],
    ...['oauth-protected-resource/api/mcp/mcp', 'oauth-protected-resource/catalog/mcp'],
    'oauth-authorization-server/mcp',
  ]) {
    const response = await world.get(`/.well-known/${path}`)
    expect([path, response.status]).toEqual([path, 404])
  }
  const page = await (await world.get('/settings/tokens')).text()
  expect(page).toContain(`${world.app.baseUrl}/mcp`)
})

test('the address for tokens answers as it does without sign-ins, byte for byte', async () => {
  const messages = [
    {
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      },
    },
    { method: 'tools/list' },
    { method: 'tools/call', params: { name: 'ask_user', arguments: {} } },
  ]
  const replies = await Promise.all(
    ['on', 'off'].map(async (BECKON_OAUTH) => {
      await using started = await startedApp({ env: { BECKON_OAUTH } })
      const replies = []
      for (const one of messages) {
        for (const authorization of [undefined, 'Bearer bk_wrong']) {
          const response = await fetch(`${started.app.url}/api/mcp/mcp`, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              ...(authorization && { authorization }),
            },
            body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...one }),
          })
          const { date: _, ...headers } = Object.fromEntries(response.headers)
          replies.push([response.status, headers, await response.text()])
        }
      }
      return replies
    }),
  )
  expect(replies[0]).toEqual(replies[1] as never)
})

test.each([
  // new folder, what is configured, base URL, on
  [true, undefined, 'https://beckon.example', true],
  [true, undefined, 'http://localhost:8484', true],
  [true, undefined, 'http://127.0.0.1:8484', true],
  [true, undefined, 'http://[::1]:8484', true],
  [true, undefined, 'http://192.168.1.2:8484', false],
  [true, undefined, 'http://localhost.example:8484', false],
  [true, false, 'https://beckon.example', false],
  [true, true, 'http://192.168.1.2:8484', true],
  [false, undefined, 'https://beckon.example', false],
  [false, undefined, 'http://localhost:8484', false],
  [false, true, 'https://beckon.example', true],
] as const)('new folder %p, configured %p, at %s: %p', async (isNew, oauth, baseUrl, on) => {
  using folder = tempFolder()
  await using db = openDataFolder(folder.path)
  if (!isNew) await loadSecrets(db, clock)
  expect(await oauthFor({ db, clock }, { oauth, baseUrl })).toBe(on)
  // As at every start after it, when there are secrets in any case.
  await loadSecrets(db, clock)
  expect(await oauthFor({ db, clock }, { oauth, baseUrl })).toBe(on)
})
