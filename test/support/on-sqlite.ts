import { test } from 'bun:test'
import { TEST_POSTGRES } from './test-database.ts'

/** For tests that reach into the file of SQLite, or spoil it. */
export const onSqlite = test.skipIf(TEST_POSTGRES !== undefined)
