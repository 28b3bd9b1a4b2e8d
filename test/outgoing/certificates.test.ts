import { afterAll, expect, test } from 'bun:test'
import { createGuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'
import type { WayOut } from './way-out.ts'
import { waysOut } from './ways-out.ts'

const TLS = `${import.meta.dir}/../fixtures/tls`
const NAME = 'push.example.test'
const read = (name: string) => Bun.file(`${TLS}/${name}.pem`).text()
const [cert, key, expiredCert, expiredKey] = await Promise.all(
  ['cert', 'key', 'expired-cert', 'expired-key'].map(read),
)
let requests = 0
const serve = (pair: { cert: string; key: string }) =>
  Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1', tls: pair },
    fetch() {
      requests++
      return Response.json({})
    },
  })
const good = serve({ cert: cert ?? '', key: key ?? '' })
const expired = serve({ cert: expiredCert ?? '', key: expiredKey ?? '' })

const guardOf = (ca?: string) =>
  createGuardedFetch({
    ...{ allowPrivateHosts: ['127.0.0.0/8'], resolve: async () => ['127.0.0.1'] },
    ...(ca === undefined ? {} : { ca }),
  })
const trusting = await waysOut(guardOf(`${cert}\n${expiredCert}`))
const strict = await waysOut(guardOf())
const rows = trusting.ways.map((way, n): [string, WayOut, WayOut] => [
  way.name,
  way,
  strict.ways[n] as WayOut,
])

afterAll(async () => {
  await trusting[Symbol.asyncDispose]()
  await strict[Symbol.asyncDispose]()
  await good.stop(true)
  await expired.stop(true)
})

test.each(rows)(
  '%s believes no certificate but a good one for the name',
  async (_name, way, unknowing) => {
    const before = requests
    const refused = [
      await way.ask(`https://other.example.test:${good.port}`),
      await way.ask(`https://127.0.0.1:${good.port}`),
      await way.ask(`https://${NAME}:${expired.port}`),
      await unknowing.ask(`https://${NAME}:${good.port}`),
    ]
    expect(refused.map(({ taken }) => taken)).toEqual([false, false, false, false])
    expect(requests).toBe(before)
    await way.ask(`https://${NAME}:${good.port}`)
    expect(requests).toBeGreaterThan(before)
    // A connection that is still open vouches for its own name alone.
    const now = requests
    expect((await way.ask(`https://other.example.test:${good.port}`)).taken).toBe(false)
    expect(requests).toBe(now)
  },
)
