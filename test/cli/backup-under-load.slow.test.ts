import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { beckon } from '../support/beckon.ts'
import { serverProcess } from '../support/server-process.ts'
import { tempFolder } from '../support/temp-folder.ts'

setDefaultTimeout(60_000)

test('a backup under load restores to a server that has all that was acknowledged before it', async () => {
  using folder = tempFolder()
  const [data, other] = [join(folder.path, 'data'), join(folder.path, 'other')]
  await using server = await serverProcess(data)
  const result = await beckon(['key', 'create', '--name', 'load', '--json', '--data', data])
  const headers = {
    authorization: `Bearer ${JSON.parse(result.out).token}`,
    'content-type': 'application/json',
  }
  const ids: string[] = []
  let over = false
  async function keepAsking(name: number) {
    for (let at = 0; !over; at++) {
      const body = JSON.stringify({ question: `Question ${name} ${at}?`, wait: false })
      const response = await fetch(`${server.url}/api/v1/questions`, {
        method: 'POST',
        headers,
        body,
      })
      if (response.status === 200) ids.push((await response.json()).correlationId)
      else await Bun.sleep(20)
    }
  }
  const load = [0, 1, 2, 3].map(keepAsking)
  while (ids.length < 50) await Bun.sleep(5)
  let before: string[] = []
  let file = ''
  // A backup may be over before a busy machine has let a question in.
  for (let i = 0; ids.length === before.length || i === 0; i++) {
    before = [...ids]
    file = join(folder.path, `copy-${i}.db`)
    expect((await beckon(['backup', file, '--data', data])).code).toBe(0)
  }
  over = true
  await Promise.all(load)

  expect((await beckon(['restore', file, '--data', other])).code).toBe(0)
  {
    using copy = new Database(join(other, 'beckon.db'), { readonly: true })
    expect(copy.query('pragma integrity_check').values()).toEqual([['ok']])
    expect(copy.query('pragma foreign_key_check').values()).toEqual([])
  }
  await using again = await serverProcess(other)
  const replies = before.map(async (id) => {
    const response = await fetch(`${again.url}/api/v1/questions/${id}?timeoutMs=1000`, { headers })
    const { status } = await response.json()
    return [id, response.status, status]
  })
  expect(await Promise.all(replies)).toEqual(before.map((id) => [id, 200, 'pending']))
})
