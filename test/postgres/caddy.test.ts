import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { beckon } from '../support/beckon.ts'
import { freePort } from '../support/free-port.ts'
import { CADDY, caddyBeforeTwo } from '../support/proxies.ts'
import { serverProcess } from '../support/server-process.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { TEST_POSTGRES, testDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(60_000)

const EMAIL = 'ada@example.com'
const PASSWORD = 'a long and unusual phrase 9'

test.skipIf(!(TEST_POSTGRES && CADDY))(
  'with Caddy as in docs/ops, each of two is restarted and no request fails',
  async () => {
    await using database = await testDatabase()
    using folder = tempFolder()
    const url = database.url
    const env = {
      BECKON_DATABASE_URL: url,
      BECKON_TRUST_PROXY: 'loopback',
      BECKON_DRAIN_SECONDS: '3',
    }
    await beckon(['user', 'add', '--email', EMAIL, '--password-stdin'], { env, stdin: PASSWORD })
    const result = await beckon(['key', 'create', '--name', 'rolling'], { env })
    expect(result.err + result.code).toEndWith('0')
    const headers = {
      authorization: `Bearer ${result.out.trim()}`,
      'content-type': 'application/json',
    }

    const ports = [freePort(), freePort()] as const
    const start = (n: 0 | 1) =>
      serverProcess(join(folder.path, `${n}`), ports[n], { env, cwd: folder.path })
    const servers = [await start(0), await start(1)]
    await using _stopped = {
      async [Symbol.asyncDispose]() {
        for (const one of servers) await one[Symbol.asyncDispose]()
      },
    }
    await using proxy = await caddyBeforeTwo(
      [servers[0]?.url ?? '', servers[1]?.url ?? ''],
      folder.path,
    )

    let isOver = false
    const ids = new Set<string>()
    const failed: string[] = []
    const asker = async (who: number) => {
      for (let n = 0; !isOver; n++) {
        const body = JSON.stringify({ question: 'Go?', requestId: `${who}-${n}`, wait: false })
        const response = await fetch(`${proxy.url}/api/v1/questions`, {
          method: 'POST',
          headers,
          body,
        })
        const text = await response.text()
        if (response.status === 200) ids.add(JSON.parse(text).correlationId)
        else failed.push(`${response.status} ${text}`)
        await Bun.sleep(20)
      }
    }
    const askers = [0, 1, 2].map(asker)
    for (const n of [0, 1] as const) {
      expect((await servers[n]?.end('SIGTERM'))?.code).toBe(0)
      servers[n] = await start(n)
      // It is asked again.
      const { url: restarted } = servers[n]
      await until(async () =>
        /^beckon_questions_opened_total\{.*\} [1-9]/m.test(
          await (await fetch(`${restarted}/metrics`)).text(),
        ),
      )
    }
    isOver = true
    await Promise.all(askers)
    expect(failed).toEqual([])
    expect(ids.size).toBeGreaterThan(10)
  },
)
