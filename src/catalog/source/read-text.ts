import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Problem } from '../record/problem.ts'
import { placeOf } from './list-folder.ts'

// What a curator writes by hand is smaller by far; reading YAML takes seconds for a megabyte.
const RECORD_BYTES_MAX = 64 * 1024
/** For the few files beside them: their lists grow with the catalog. */
const LIST_BYTES_MAX = 256 * 1024

/** The text of one file, or why it cannot be one. Never throws. */
export async function readText(folder: string, file: string): Promise<string | Problem> {
  const problem = (expected: string, found: string) => ({
    ...{ file, line: 0, field: '', expected, found },
  })
  const path = join(folder, file)
  try {
    if ((await placeOf(path, await realpath(folder))) === 'outside') {
      return problem('a file of this folder', 'a link that leads out of it')
    }
    // A pipe without a writer would be waited for, for ever.
    await using handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const about = await handle.stat()
    if (!about.isFile()) return problem('a file', 'something else')
    const most = file.includes('/') ? RECORD_BYTES_MAX : LIST_BYTES_MAX
    if (about.size > most) {
      return problem(`at most ${most / 1024} KiB`, `${Math.ceil(about.size / 1024)} KiB`)
    }
    const bytes = await handle.readFile()
    if (bytes.includes(0)) return problem('text in UTF-8', 'bytes that are no text')
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (error instanceof TypeError && !code?.startsWith('E')) {
      return problem('text in UTF-8', 'bytes that are no text')
    }
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      return problem('text in UTF-8', 'bytes that are no text')
    }
    if (code === 'ENOENT') return problem('the file', 'nothing')
    return problem('a file that can be read', code ?? 'a failure')
  }
}
