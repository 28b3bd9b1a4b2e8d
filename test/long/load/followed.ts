import { readFileSync } from 'node:fs'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { setPolicy } from '../../../src/ask/policy/change-policy.ts'
import {
  followQuestion,
  insertQuestion,
  listOverdue,
} from '../../../src/ask/questions/model/store.ts'
import { listDueReminders } from '../../../src/ask/reminders/model/store.ts'
import { planReminders } from '../../../src/ask/reminders/remind.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type AgentHouse, agentHouse, EMAIL } from '../../support/agent-house.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { aQuestion } from '../../support/question.ts'
import { signInAt } from '../../support/sign-in.ts'

/**
 * What questions cost that stay open for hours, held by no connection:
 * `bun test/long/load/followed.ts [COUNT]`.
 */
const COUNT = Number(process.argv[2] ?? 10_000)
const HOUR = 3_600_000
const AT_ONCE = 500
const ROUNDS = 60

await using house = await agentHouse()
{
  await using server = await house.start()
  await report('without any', house, server.pid)
}
await fill(house)
{
  await using server = await house.start()
  await report(`with ${COUNT}`, house, server.pid)
}

/** Questions that are followed for eight hours, half of them with a session, all with reminders. */
async function fill({ data }: AgentHouse): Promise<void> {
  await using db = openDataFolder(data)
  const now = clock.now()
  const home = await db.write((tx) => homeWorkspace(tx, newId('ws', now), now))
  await setPolicy({ db, clock }, home, { remindMs: HOUR })
  for (let from = 0; from < COUNT; from += AT_ONCE) {
    await db.write(async (tx) => {
      for (let n = from; n < Math.min(from + AT_ONCE, COUNT); n++) {
        const createdAt = clock.now()
        const question = aQuestion(newId('q', createdAt).slice(2), {
          ...{ workspaceId: home, createdAt, expiresAt: createdAt + 600_000 },
          ...{ question: `Deploy the service number ${n}?`, agentName: `Agent ${n % 50}` },
          ...(n % 2 ? { machineId: 'm_1', sessionId: `s_${n % 200}` } : {}),
        })
        await insertQuestion(tx, question, 400)
        const followed = await followQuestion(tx, question, createdAt, createdAt + 8 * HOUR)
        if (!followed) throw new Error('it was not followed')
        await planReminders(tx, followed, { remindMs: HOUR }, createdAt)
      }
    })
  }
}

async function report(what: string, { url, data }: AgentHouse, pid: number): Promise<void> {
  const cookie = await signInAt(url, { email: EMAIL, password: PASSWORD })
  const look = (path: string) =>
    timed(async () => {
      const response = await fetch(url + path, { headers: { cookie } })
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      await response.arrayBuffer()
    })
  const figures = {
    '/readyz': await look('/readyz'),
    '/inbox, the page': await look('/inbox'),
    '/api/v1/inbox': await look('/api/v1/inbox'),
    'the looks of every second': await looks(data),
  }
  console.log(`${what}: ${Math.round(memoryOf(pid))} MiB`)
  for (const [name, [p50, p95]] of Object.entries(figures)) {
    console.log(`  ${name}: p50 ${p50?.toFixed(2)} ms, p95 ${p95?.toFixed(2)} ms`)
  }
}

/** What is looked for each second: questions that are over, and reminders that are due. */
async function looks(data: string) {
  await using db = openDataFolder(data)
  return await timed(async () => {
    await listOverdue(db.read, clock.now(), AT_ONCE)
    await listDueReminders(db.read, clock.now(), 100)
  })
}

async function timed(work: () => Promise<void>): Promise<[p50: number, p95: number]> {
  const took: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now()
    await work()
    took.push(performance.now() - startedAt)
  }
  // The first ones warm up.
  const sorted = took.slice(10).sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(part * sorted.length)] ?? Number.NaN
  return [at(0.5), at(0.95)]
}

function memoryOf(pid: number): number {
  const kib = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) / 1024
}
