import { createHash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { compress } from '../feeds/compress.ts'
import type { Coding } from '../feeds/negotiate.ts'

/** The compressed versions, by the ending of their files. */
export const TWINS: ReadonlyArray<readonly [Exclude<Coding, 'identity'>, string]> = [
  ['gzip', '.gz'],
  ['br', '.br'],
  ['zstd', '.zst'],
]
const ENDINGS = ['', ...TWINS.map(([, ending]) => ending)]

/** The number of files and of their bytes. */
export type Added = { files: number; bytes: number }

type Bytes = Uint8Array<ArrayBuffer>

/** Writes files into `next`, and links those of `folder` there. */
export function fileWriter({ folder, next, now }: { folder: string; next: string; now: number }) {
  const folders = new Set<string>()

  function placeFor(file: string): string {
    const to = join(next, file)
    const parent = dirname(to)
    if (!folders.has(parent)) mkdirSync(parent, { recursive: true })
    folders.add(parent)
    return to
  }

  /** In whole seconds and later than before, because static servers compare versions by time. */
  function setTime(file: string): void {
    const seconds = Math.floor(now / 1000)
    const was = statSync(join(folder, file), { throwIfNoEntry: false })
    const at = was ? Math.max(seconds, Math.floor(was.mtimeMs / 1000) + 1) : seconds
    utimesSync(join(next, file), at, at)
  }

  function writeOne(file: string, bytes: Uint8Array): Added {
    writeFileSync(placeFor(file), bytes)
    setTime(file)
    return { files: 1, bytes: bytes.length }
  }

  return {
    /** Links the file of `folder` with its compressed versions; undefined if it is gone. */
    link(file: string): Added | undefined {
      const own = ENDINGS.map((ending) => file + ending).filter((name) =>
        existsSync(join(folder, name)),
      )
      if (own[0] !== file) return undefined
      return total(own.map((name) => linkOrCopy(join(folder, name), placeFor(name))))
    },
    /** Links `other`, which was written before, as `file`, too. */
    linkSame: (file: string, other: string) => linkOrCopy(join(next, other), placeFor(file)),
    async write(file: string, bytes: Uint8Array, twins: boolean): Promise<Added> {
      const plain = writeOne(file, bytes)
      if (!twins) return plain
      const packing = TWINS.map(([coding]) => compress(bytes as Bytes, coding))
      const packed = await Promise.all(packing)
      const smaller = packed.flatMap((twin, i) =>
        twin.length < bytes.length ? [writeOne(`${file}${ENDINGS[i + 1]}`, twin)] : [],
      )
      return total([plain, ...smaller])
    },
    async writeChunks(file: string, chunks: AsyncIterable<Uint8Array>) {
      const hash = createHash('sha256')
      const out = openSync(placeFor(file), 'w')
      let bytes = 0
      try {
        for await (const chunk of chunks) {
          hash.update(chunk)
          bytes += chunk.length
          writeFileSync(out, chunk)
        }
      } finally {
        closeSync(out)
      }
      setTime(file)
      return { hash: hash.digest('hex'), bytes }
    },
  }
}

function total(all: readonly Added[]): Added {
  const add = (sum: Added, one: Added) => ({
    files: sum.files + one.files,
    bytes: sum.bytes + one.bytes,
  })
  return all.reduce(add, { files: 0, bytes: 0 })
}

/** Links the file, or copies it with the same time where links are not supported. */
function linkOrCopy(from: string, to: string): Added {
  const { atime, mtime, size } = statSync(from)
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
    utimesSync(to, atime, mtime)
  }
  return { files: 1, bytes: size }
}
