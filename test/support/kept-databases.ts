import { expect } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/platform/clock.ts'
import { ask, RETRY_KEY, type StoryRecord, senderTo, signedIn } from './kept-story.ts'
import { startedApp } from './started-app.ts'

// See the README there.
const FOLDER = join(import.meta.dir, '../fixtures/databases')
const KINDS = { sqlite: '.db.zst', postgres: '.sql.zst' }
const A_MINUTE = 60_000

/** The names of the databases that are kept, the oldest first: each is that of its last migration. */
export function keptNames(dialect: keyof typeof KINDS): string[] {
  return readdirSync(join(FOLDER, dialect))
    .filter((file) => file.endsWith(KINDS[dialect]))
    .map((file) => file.slice(0, -KINDS[dialect].length))
    .sort()
}

/** A SQLite file, or statements that fill an empty PostgreSQL database. */
export function keptDatabase(dialect: keyof typeof KINDS, name: string): Uint8Array {
  const file = readFileSync(join(FOLDER, dialect, name + KINDS[dialect]))
  return Bun.zstdDecompressSync(file)
}

/** What the clients of the server were told whose database is kept. */
export function keptStory(dialect: keyof typeof KINDS, name: string): StoryRecord {
  return JSON.parse(readFileSync(join(FOLDER, dialect, `${name}.json`), 'utf8'))
}

/** Starts the server on a kept database as if a minute had passed since its story ended. */
export async function startLater(
  story: StoryRecord,
  { fill, url }: { fill?: (folder: string) => Promise<void>; url?: string },
) {
  const ago = Date.now() - story.at - A_MINUTE
  return await startedApp({
    env: { BECKON_CATALOG_PROBES: 'off', ...(url && { BECKON_DATABASE_URL: url }) },
    clock: { ...systemClock, now: () => Date.now() - ago },
    fill: fill ?? (async () => {}),
  })
}

/** Goes on with a story on the server at `url`; expects that its clients miss nothing. */
export async function expectToGoOn(story: StoryRecord, url: string): Promise<void> {
  const agent = senderTo(url, { authorization: `Bearer ${story.token}` })
  const person = await signedIn(url)

  for (const { id, value, note } of story.answered) {
    const ended = await agent(`/questions/${id}`)
    expect(ended).toMatchObject({ status: 'answered', value, ...(note ? { note } : {}) })
  }
  expect(await agent(`/questions/${story.cancelled}`)).toMatchObject({ status: 'cancelled' })

  const { questions } = (await person('/inbox')) as { questions: { correlationId: string }[] }
  const { id, question } = story.open
  expect(questions).toMatchObject([{ correlationId: id, question, status: 'pending' }])
  const again = await ask(agent, { question, requestId: RETRY_KEY })
  expect(again.correlationId).toBe(id)
  const waiting = agent(`/questions/${id}?timeoutMs=20000`)
  await person(`/questions/${id}/answer`, { value: 'no' })
  expect(await waiting).toMatchObject({ status: 'answered', value: 'no' })

  const scope = await agent(`/scopes/${story.scope.session}`)
  const allowedPaths = expect.arrayContaining(story.scope.paths)
  expect(scope).toMatchObject({ doneWhen: 'Tests pass', allowedPaths })

  expect(JSON.stringify(await person('/activity'))).toContain(story.notification)
  expect(JSON.stringify(await person('/subscribers'))).toContain("Ada's phone")
  expect(JSON.stringify(await person('/rules'))).toContain(story.rule)
  expect(await person('/policy')).toMatchObject({ graceMs: 1_500 })
  expect(JSON.stringify(await person('/callbacks'))).toContain(story.answered[0]?.id ?? 'none')
  expect(JSON.stringify(await person('/audit'))).toContain(story.answered[1]?.id ?? 'none')
  const listed = (await senderTo(url, {})('/tools.json')) as { count: number }
  expect(listed.count).toBe(story.tools)
}
