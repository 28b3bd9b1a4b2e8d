import { WrongUsage } from '../../platform/failure.ts'
import { BrokenFile } from '../client-files/broken-file.ts'
import type { DesiredFile, InstallRequest } from '../client-files/client-setup.ts'
import { isOurFile, STRICT } from '../client-files/entries.ts'
import { dataOf, readTree } from '../client-files/json-document.ts'
import { readTextFile } from '../client-files/text-file.ts'
import { readToml } from '../client-files/toml-sections.ts'

type StrictFlags = { strict?: boolean | undefined; 'no-strict'?: boolean | undefined }

/**
 * The request to be written in place of what `files` contain now. A client that was set up with
 * `--strict` stays so until `--no-strict` is given, because running setup again must not loosen
 * anything. Throws `WrongUsage` for both at once.
 */
export function withStrictness(
  files: readonly DesiredFile[],
  request: InstallRequest,
  flags: StrictFlags,
): InstallRequest {
  if (flags.strict && flags['no-strict']) {
    throw new WrongUsage('--strict and --no-strict cannot be given together.')
  }
  const strict = flags.strict ?? (!flags['no-strict'] && files.some(isStrict))
  return { ...request, strict }
}

/** Returns true if one of our hooks in the file has `--strict`. */
function isStrict(file: DesiredFile): boolean {
  try {
    const { text } = readTextFile(file.path)
    if (!text.includes(STRICT)) return false
    if (file.kind === 'own') return isOurFile(text)
    const tree = file.kind === 'json' ? readTree(text) : undefined
    const data = file.kind === 'toml' ? readToml(text) : tree && dataOf(tree)
    return entriesIn(data).some((one) => file.isOurs(one) && JSON.stringify(one).includes(STRICT))
  } catch (error) {
    // The file stays as it is, and the plan reports that.
    if (error instanceof BrokenFile) return false
    throw error
  }
}

function entriesIn(data: unknown): object[] {
  if (data === null || typeof data !== 'object') return []
  return [data, ...Object.values(data).flatMap(entriesIn)]
}
