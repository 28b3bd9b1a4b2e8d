import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { BrokenFile } from '../client-files/broken-file.ts'
import type { DesiredFile } from '../client-files/client-setup.ts'
import { undoJson } from '../client-files/desired-json.ts'
import { undoToml } from '../client-files/desired-toml.ts'
import { encoded, readTextFile, replaceFile, type TextFile } from '../client-files/text-file.ts'

const NAME = '.beckon-backup'
const TOKEN = /bk_[0-9A-Za-z]{32,}/g

/** A copy beside the file, which never overwrites an older one. */
export function keepCopy(file: TextFile, bytes: Uint8Array): string {
  for (let n = 1; ; n++) {
    const path = `${file.path}${NAME}${n === 1 ? '' : `-${n}`}`
    if (!existsSync(path)) {
      copyFileSync(file.target, path)
      return path
    }
    if (Buffer.from(bytes).equals(readFileSync(path))) return path
  }
}

/** Every copy that setup has made of the file. */
export function copiesOf(path: string): string[] {
  const own = basename(path) + NAME
  try {
    const names = readdirSync(dirname(path), { withFileTypes: true })
    const isCopy = (name: string) =>
      name.startsWith(own) && /^(-\d+)?$/.test(name.slice(own.length))
    const files = names.filter((entry) => entry.isFile() && isCopy(entry.name))
    return files.map(({ name }) => join(dirname(path), name))
  } catch {
    return []
  }
}

export function removeCopies(path: string): void {
  for (const copy of copiesOf(path)) rmSync(copy, { force: true })
}

/** Returns true if our entries in this text contain a token, as earlier versions wrote it. */
export function holdsOurToken(text: string, request: DesiredFile): boolean {
  const tokens = (of: string) => of.match(TOKEN)?.length ?? 0
  try {
    return tokens(text) > 0 && tokens(text) > tokens(withoutOurs(text, request))
  } catch (error) {
    // It cannot be parsed, so our entries cannot be told from others.
    if (error instanceof BrokenFile) return false
    throw error
  }
}

/** The copies that hold such a token. */
export function copiesWithToken(request: DesiredFile): TextFile[] {
  return copiesOf(request.path).flatMap((path) => {
    try {
      const copy = readTextFile(path)
      return holdsOurToken(copy.text, request) ? [copy] : []
    } catch (error) {
      if (error instanceof BrokenFile) return []
      throw error
    }
  })
}

/** Removes our entries from a copy; returns its new bytes. Throws `BrokenFile`. */
export function cleanCopy(copy: TextFile, request: DesiredFile): Uint8Array {
  const bytes = encoded(copy, withoutOurs(copy.text, request))
  replaceFile(copy, bytes, copy.mode)
  return bytes
}

function withoutOurs(text: string, request: DesiredFile): string {
  if (request.kind === 'own') return ''
  return request.kind === 'toml' ? undoToml(text, request) : undoJson(text, request, [])
}
