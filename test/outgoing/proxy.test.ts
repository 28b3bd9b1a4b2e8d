import { expect, test } from 'bun:test'
import { type Wire, wireServer } from '../support/wire-server.ts'

const GUARD = new URL('../../src/platform/outgoing/guarded-fetch.ts', import.meta.url).pathname
const ASK = `import { createGuardedFetch } from '${GUARD}'
const resolve = async (host) => [host === 'public.example' ? '93.184.215.14' : '10.0.0.5']
const { fetch } = createGuardedFetch({ resolve })
for (const host of ['public.example', 'private.example', '127.0.0.1']) {
  console.log((await fetch('https://' + host + '/')).outcome)
}
process.exit(0)`

test('a proxy of the environment is given checked addresses, and no others', async () => {
  await using proxy = await wireServer()
  const refuse: Wire = (socket) => socket.end('HTTP/1.1 502 No\r\ncontent-length: 0\r\n\r\n')
  proxy.play(refuse)
  const env = { ...process.env, HTTPS_PROXY: proxy.origin, HTTP_PROXY: proxy.origin, NO_PROXY: '' }
  const child = Bun.spawn([process.execPath, '-e', ASK], { env, stdout: 'pipe', stderr: 'inherit' })
  const output = await new Response(child.stdout).text()
  await child.exited
  expect(output.trim().split('\n')).toEqual(['unreachable', 'blocked', 'blocked'])
  expect(proxy.requests.map((request) => request.split('\r\n')[0])).toEqual([
    'CONNECT 93.184.215.14:443 HTTP/1.1',
  ])
})
