import { afterAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { openChallengePort } from '../../../src/platform/https/serve-https.ts'
import { freePorts } from '../../support/free-port.ts'

const TOKEN = 'a-token-of-the-authority'
const [port = 0] = freePorts(1)
const server = openChallengePort({
  ...{ host: '127.0.0.1', port, baseUrl: 'https://one.example.com:8443' },
  domains: ['one.example.com', 'two.example.com'],
  challenges: new Map([[TOKEN, 'the text']]),
})
afterAll(() => server.stop(true))

/** The whole reply to a request as it is on the wire. */
function send(head: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(head))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
    socket.on('error', () => resolve(text))
  })
}

const ask = (method: string, path: string, host: string) =>
  send(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)

const locationIn = (reply: string) => /^location: (.*)\r$/im.exec(reply)?.[1]

test.each([
  ['GET', '/', 'one.example.com', 'https://one.example.com:8443/'],
  [
    'GET',
    '/inbox?a=1&b=%0d%0aX:1',
    'two.example.com',
    'https://two.example.com:8443/inbox?a=1&b=%0d%0aX:1',
  ],
  [
    'POST',
    '/api/v1/questions',
    'ONE.example.com:80',
    'https://one.example.com:8443/api/v1/questions',
  ],
  ['GET', '//evil.example/x', 'one.example.com', 'https://one.example.com:8443//evil.example/x'],
  [
    'GET',
    '/.well-known/acme-challenge',
    'one.example.com',
    'https://one.example.com:8443/.well-known/acme-challenge',
  ],
])('%s %s at %s is sent to https', async (method, path, host, to) => {
  const reply = await ask(method, path, host)
  expect([reply.slice(0, 12), locationIn(reply)]).toEqual(['HTTP/1.1 308', to])
})

test.each([
  'evil.example',
  'one.example.com.evil.example',
  'one.example.com@evil.example',
  'evil.example/one.example.com',
  'evil.example#one.example.com',
  'one.example.com\\evil.example',
  '127.0.0.1',
  '[::1]',
  '',
  ' ',
  'one.example.com:99999',
  'a'.repeat(5_000),
  '"><script>',
  '%6fne.example.com%2eevil',
])('the host %p is sent nowhere else', async (host) => {
  for (const path of ['/', 'http://evil.example/', '/.well-known/acme-challenge/unknown']) {
    const reply = await ask('GET', path, host)
    const to = locationIn(reply)
    expect(to === undefined || /^https:\/\/(one|two)\.example\.com:8443\//.test(to)).toBe(true)
    expect(reply).not.toContain('script')
    expect(reply).toMatch(/^HTTP\/1\.1 (308|40\d|431)/)
  }
})

test('a challenge is answered whatever the host, and only where it is', async () => {
  const path = '/.well-known/acme-challenge/'
  for (const host of ['one.example.com', 'evil.example', '127.0.0.1']) {
    const reply = await ask('GET', path + TOKEN, host)
    expect(reply).toStartWith('HTTP/1.1 200')
    expect(reply).toEndWith('the text')
    expect(reply.toLowerCase()).toContain('x-content-type-options: nosniff')
  }
  for (const [method, rest] of [
    ['POST', TOKEN],
    ['GET', `${TOKEN}/`],
    ['GET', `${TOKEN}x`],
    ['GET', ''],
    ['GET', '../healthz'],
    ['GET', `x/../${TOKEN}x`],
  ] as const) {
    const reply = await ask(method, path + rest, 'evil.example')
    expect([method, rest, reply.slice(0, 12)]).toEqual([method, rest, 'HTTP/1.1 404'])
  }
})
