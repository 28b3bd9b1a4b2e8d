import type { OpenDb } from '../../src/platform/db/database.ts'
import { openPostgres } from '../../src/platform/db/postgres/open.ts'
import { testDatabase } from '../support/test-database.ts'

export type TwoProcesses = AsyncDisposable & { url: string; here: OpenDb; there: OpenDb }

/** One empty database, opened twice, as two servers do. */
export async function twoProcesses(): Promise<TwoProcesses> {
  const { url, ...database } = await testDatabase()
  const open = () => openPostgres({ url, listenUrl: undefined, pool: 8 })
  const here = await open()
  const there = await open()
  return {
    url,
    here,
    there,
    async [Symbol.asyncDispose]() {
      await here[Symbol.asyncDispose]()
      await there[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** What each of `many` at once gave, half of them in each process: values, or codes of failures. */
export async function race<T>(
  { here, there }: TwoProcesses,
  many: number,
  work: (db: OpenDb, n: number) => Promise<T>,
): Promise<Array<T | string>> {
  const all = Array.from({ length: many }, async (_, n) => {
    try {
      return await work(n % 2 === 0 ? here : there, n)
    } catch (error) {
      const { code } = error as { code?: unknown }
      return typeof code === 'string' ? code : String(error)
    }
  })
  return await Promise.all(all)
}
