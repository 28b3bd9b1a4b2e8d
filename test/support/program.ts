import { join } from 'node:path'

const MAIN = join(import.meta.dir, '../../src/main.ts')

/** Beckon from its sources, with nothing of a file `.env` beside them. */
const SOURCE: readonly string[] = [process.execPath, '--no-env-file', MAIN]

/** The executable that `bun run test` has built, whose processes start in a third of the time. */
export const BUILT = process.env.TEST_PROGRAM

/** How a test starts Beckon as a process of its own. */
export const PROGRAM: readonly string[] = BUILT ? [BUILT] : SOURCE
