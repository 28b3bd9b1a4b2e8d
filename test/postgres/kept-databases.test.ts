import { expect, setDefaultTimeout, test } from 'bun:test'
import { SQL } from 'bun'
import { openPostgres } from '../../src/platform/db/postgres/open.ts'
import {
  expectToGoOn,
  keptDatabase,
  keptNames,
  keptStory,
  startLater,
} from '../support/kept-databases.ts'
import { TEST_POSTGRES, testDatabase } from '../support/test-database.ts'

setDefaultTimeout(60_000)

const NAMES = keptNames('postgres')

/** A PostgreSQL database with the content of a kept one. */
async function unpacked(name: string) {
  const database = await testDatabase()
  await using sql = new SQL(database.url, { max: 1 })
  await sql.unsafe('drop schema public cascade; create schema public').simple()
  await sql.unsafe(new TextDecoder().decode(keptDatabase('postgres', name))).simple()
  return database
}

for (const name of NAMES) {
  test.skipIf(!TEST_POSTGRES)(
    `a server on a database of ${name} goes on where it was`,
    async () => {
      await using database = await unpacked(name)
      const story = keptStory('postgres', name)
      await using server = await startLater(story, { url: database.url })
      await expectToGoOn(story, server.app.url)
    },
  )
}

test.skipIf(!TEST_POSTGRES)(
  'a database of an early build is refused with the way out',
  async () => {
    await using database = await unpacked(NAMES[0] as string)
    await using sql = new SQL(database.url, { max: 1 })
    await sql.unsafe("delete from migrations where name > '0028_token-of-ended'")
    const opening = openPostgres({ url: database.url, listenUrl: undefined, pool: 1 })
    await expect(opening).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/an early build of Beckon \(up to 0028_token-of-ended\)/),
    })
  },
)
