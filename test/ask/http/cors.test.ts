import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { MCP_PATH } from '../../../src/ask/mcp/route.ts'
import { type WholeServer, wholeServer } from '../../support/whole-server.ts'

const FRIEND = 'https://friend.example'
const REST_PATH = '/api/v1/notifications'

let house: WholeServer
let token: string
beforeAll(async () => {
  house = await wholeServer({
    env: { BECKON_ALLOWED_ORIGINS: `${FRIEND}, http://lan.example:3000` },
  })
  token = await house.token()
})
afterAll(() => house[Symbol.asyncDispose]())

const BODIES: Record<string, object> = {
  [MCP_PATH]: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  [REST_PATH]: { title: 'Done', body: 'All of it.' },
}

function post(path: string, origin: string, more: Record<string, string> = {}) {
  return fetch(house.url + path, {
    method: 'POST',
    headers: {
      origin,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...more,
    },
    body: JSON.stringify(BODIES[path]),
  })
}

function preflight(path: string, origin: string) {
  return fetch(house.url + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  })
}

function corsOf({ headers }: Response) {
  return [...headers.keys()].filter((name) => name.startsWith('access-control'))
}

describe.each([MCP_PATH, REST_PATH])('%s', (path) => {
  test.each([FRIEND, 'http://lan.example:3000'])(
    '%s may call, with a token alone',
    async (origin) => {
      const reply = await preflight(path, origin)
      expect(reply.status).toBe(204)
      expect(reply.headers.get('access-control-allow-origin')).toBe(origin)
      expect(reply.headers.get('access-control-allow-methods')).toContain('POST')
      expect(reply.headers.get('access-control-allow-headers')).toContain('Authorization')
      const response = await post(path, origin)
      expect(response.status).toBe(200)
      expect(response.headers.get('access-control-allow-origin')).toBe(origin)
      expect(response.headers.get('access-control-expose-headers')).toContain('Retry-After')
      for (const { headers } of [reply, response]) {
        expect(headers.get('vary')).toContain('Origin')
        expect(headers.has('access-control-allow-credentials')).toBe(false)
        expect(headers.get('x-content-type-options')).toBe('nosniff')
      }
    },
  )

  test('a page of an allowed origin can read a refusal', async () => {
    const response = await post(path, FRIEND, { 'content-type': 'text/plain' })
    expect(response.status).toBe(415)
    expect(response.headers.get('access-control-allow-origin')).toBe(FRIEND)
  })

  test.each([
    'null',
    'https://friend.example.evil.example',
    'https://evilfriend.example',
    'https://friend.example:8443',
    'https://FRIEND.example',
    'http://friend.example',
    'https://friend.example/',
    'https://friend.example@evil.example',
    'https://friend.example, https://evil.example',
    'https://sub.friend.example',
    'http://lan.example',
    '*',
    '',
  ])('the origin "%s" gets no permission', async (origin) => {
    const reply = await preflight(path, origin)
    expect(reply.status).toBe(405)
    expect(corsOf(reply)).toEqual([])
    const response = await post(path, origin)
    expect(corsOf(response)).toEqual([])
    expect(response.headers.get('vary')).toContain('Origin')
    if (path === MCP_PATH && origin !== '') expect(response.status).toBe(403)
  })
})

test('a friend gets nothing of what belongs to people', async () => {
  const headers = { origin: FRIEND, 'access-control-request-method': 'POST' }
  for (const path of ['/api/auth/sign-in/email', '/inbox', '/a/token']) {
    const response = await fetch(house.url + path, {
      method: 'OPTIONS',
      headers,
      redirect: 'manual',
    })
    expect(corsOf(response)).toEqual([])
  }
})

test('without a setting no origin has permission', async () => {
  await using bare = await wholeServer()
  const headers = { origin: FRIEND, 'access-control-request-method': 'POST' }
  const response = await fetch(bare.url + REST_PATH, { method: 'OPTIONS', headers })
  expect([response.status, corsOf(response)]).toEqual([405, []])
})

test('a client in a page of a known origin may sign in, and has no permission from there', async () => {
  const open = ['/mcp', '/oauth2/token', '/oauth2/register', '/oauth2/revoke']
  const documents = ['/.well-known/oauth-protected-resource/mcp']
  documents.push('/.well-known/oauth-authorization-server/oauth2')
  for (const path of [...open, ...documents]) {
    const response = await preflight(path, FRIEND)
    expect([path, response.status]).toEqual([path, 204])
    const stranger = await preflight(path, 'https://evil.example')
    expect([path, corsOf(stranger)]).toEqual([path, []])
  }
  const page = await preflight('/oauth2/authorize', FRIEND)
  expect(corsOf(page)).toEqual([])
})
