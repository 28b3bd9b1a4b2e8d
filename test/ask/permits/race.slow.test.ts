import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { listAudit } from '../../../src/ask/audit/model/store.ts'
import { insertQuestion } from '../../../src/ask/questions/model/store.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { newId } from '../../../src/platform/ids.ts'
import { aQuestion } from '../../support/question.ts'
import { serverProcess } from '../../support/server-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'

setDefaultTimeout(120_000)

const HASH = 'a'.repeat(64)

/** A data folder with so many questions that were answered yes, and the token that asked them. */
async function answered(folder: string, many: number) {
  await using db = openDataFolder(folder)
  const now = clock.now()
  const workspaceId = await db.write((tx) => homeWorkspace(tx, newId('ws', now), now))
  const { token, record } = await createToken({ db, clock }, { workspaceId, name: 'racer' })
  const ids: string[] = []
  for (let i = 0; i < many; i++) {
    const id = newId('q', now)
    const question = aQuestion(`Go ${i}?`, { id, workspaceId, tokenId: record.id })
    const yes = { status: 'answered', value: 'yes', createdAt: now, endedAt: now } as const
    await db.write((tx) => insertQuestion(tx, { ...question, ...yes, type: 'confirm' }, 0))
    ids.push(id)
  }
  return { ids, token, workspaceId }
}

type Reply = { status: number; permitId?: string; code?: string }

function poster(url: string, token: string) {
  return async (path: string): Promise<Reply> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ actionHash: HASH }),
    })
    return { status: response.status, ...((await response.json()) as object) }
  }
}

const ROUNDS = 100
const RACER = join(import.meta.dir, 'racer.ts')

test(`of two processes that race for a permit one uses it, ${ROUNDS} times`, async () => {
  using folder = tempFolder()
  const { ids, token } = await answered(folder.path, ROUNDS)
  await using server = await serverProcess(folder.path, 0, {
    env: { BECKON_TOKEN_LIMIT_FACTOR: '1000' },
  })
  const post = poster(server.url, token)
  const racers = [1, 2].map(() => {
    const env = { PATH: process.env.PATH, BECKON_URL: server.url, BECKON_TOKEN: token }
    const child = Bun.spawn([process.execPath, '--no-env-file', RACER], {
      env,
      stdin: 'pipe',
      stdout: 'pipe',
    })
    return { child, lines: linesOf(child.stdout) }
  })
  try {
    for (const [round, id] of ids.entries()) {
      const { permitId } = await post(`/questions/${id}/permit`)
      for (const { child } of racers) {
        child.stdin.write(`${permitId} ${HASH}\n`)
        child.stdin.flush()
      }
      const replies = await Promise.all(racers.map(async ({ lines }) => (await lines.next()).value))
      expect([round, ...replies.sort()]).toEqual([round, '200', '409'])
    }
  } finally {
    for (const { child } of racers) child.kill('SIGKILL')
  }
})

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  return rest
}

test('a permit that is used while the server is killed is used once', async () => {
  using folder = tempFolder()
  const { ids, token, workspaceId } = await answered(folder.path, 40)
  const limits = { env: { BECKON_TOKEN_LIMIT_FACTOR: '1000' } }
  const replied = new Map<string, number>()
  const permits: string[] = []
  {
    await using server = await serverProcess(folder.path, 0, limits)
    const post = poster(server.url, token)
    for (const id of ids) permits.push((await post(`/questions/${id}/permit`)).permitId ?? '')
    const first = Promise.withResolvers<void>()
    const uses = permits.map(async (permit) => {
      const reply = await post(`/permits/${permit}/consume`).catch(() => undefined)
      if (reply) replied.set(permit, reply.status)
      first.resolve()
    })
    await first.promise
    await server.end('SIGKILL')
    await Promise.all(uses)
  }
  expect([...replied.values()].every((status) => status === 200)).toBe(true)
  {
    await using server = await serverProcess(folder.path, 0, limits)
    const post = poster(server.url, token)
    for (const permit of permits) {
      const { status } = await post(`/permits/${permit}/consume`)
      if (replied.has(permit)) expect([permit, status]).toEqual([permit, 409])
      else expect([200, 409]).toContain(status)
      expect(await post(`/permits/${permit}/consume`)).toMatchObject({ code: 'permit_used' })
    }
    await server.end('SIGTERM')
  }
  await using db = openDataFolder(folder.path)
  const wanted = { kinds: ['permit.used'], personId: undefined } as const
  const range = { from: 0, before: { at: 2 ** 45, id: undefined }, limit: 200 }
  const used = await listAudit(db.read, workspaceId, wanted, range)
  expect(used).toHaveLength(permits.length)
  expect(new Set(used.map(({ subjectId }) => subjectId)).size).toBe(permits.length)
})
