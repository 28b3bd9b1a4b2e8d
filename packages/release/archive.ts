import { crc32, deflateRawSync } from 'node:zlib'

/** A file of an archive, a link when it has a `target`, a folder when its path ends with a slash. */
export type Entry = {
  path: string
  bytes: Uint8Array
  mode: number
  owner?: number
  target?: string
}

/** A plain file that everybody may read. */
export function file(path: string, content: string | Uint8Array): Entry {
  return { path, bytes: Buffer.from(content), mode: 0o644 }
}

/** A program that everybody may run. */
export function program(path: string, content: string | Uint8Array): Entry {
  return { path, bytes: Buffer.from(content), mode: 0o755 }
}

/** A folder that everybody may look into. */
export function folder(path: string, mode = 0o755, owner = 0): Entry {
  return { path: `${path}/`, bytes: new Uint8Array(), mode, owner }
}

/** A symbolic link. */
export function link(path: string, target: string): Entry {
  return { path, bytes: new Uint8Array(), mode: 0o777, target }
}

/** Entries below a folder of an archive. */
export function below(place: string, entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => ({ ...entry, path: `${place}/${entry.path}` }))
}

// Archives hold no time of their making, so that the same files are the same bytes. Not 0, which
// zip cannot say and some tools take for "unknown": the first moment of 1980, in UTC.
const TIME = 315532800
const BLOCK = 512
const LONGEST = 100

/** A ustar archive (POSIX.1-1988) of these entries in this order; all belong to root. */
export function tar(entries: readonly Entry[]): Uint8Array {
  const parts = entries.flatMap((entry) => {
    const rest = (BLOCK - (entry.bytes.length % BLOCK)) % BLOCK
    return [tarHeader(entry), entry.bytes, new Uint8Array(rest)]
  })
  return Buffer.concat([...parts, new Uint8Array(2 * BLOCK)])
}

function tarHeader({ path, bytes, mode, owner = 0, target }: Entry): Uint8Array {
  if (Buffer.byteLength(path) > LONGEST) throw new Error(`${path} is too long for an archive.`)
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, digits: number) =>
    block.write(value.toString(8).padStart(digits, '0'), at)
  block.write(path, 0)
  octal(mode, 100, 7)
  octal(owner, 108, 7)
  octal(owner, 116, 7)
  octal(bytes.length, 124, 11)
  octal(TIME, 136, 11)
  // The checksum counts its own field as spaces.
  block.write('        ', 148)
  const plain = path.endsWith('/') ? '5' : '0'
  block.write(target === undefined ? plain : '2', 156)
  block.write(target ?? '', 157)
  block.write('ustar\0', 257)
  block.write('00', 263)
  octal(
    block.reduce((total, byte) => total + byte, 0),
    148,
    6,
  )
  block.write('\0 ', 154)
  return block
}

// Of 12. The next ones take twice as long for 0.4 %.
const GZIP_LEVEL = 6
// The level of gzip that Debian requires for documentation.
const BEST = 9
// Of 22. Level 19 takes ten times as long for 7 %.
const ZSTD_LEVEL = 12

/** Compressed with gzip. libdeflate writes the same bytes on every machine. */
export function gzip(bytes: Uint8Array): Uint8Array {
  return Bun.gzipSync(new Uint8Array(bytes), { library: 'libdeflate', level: GZIP_LEVEL })
}

/** As `gzip`, as small as it gets: for texts. */
export function gzipText(text: string): Uint8Array {
  return Bun.gzipSync(Buffer.from(text), { library: 'libdeflate', level: BEST })
}

/** Compressed with Zstandard. */
export function zstd(bytes: Uint8Array): Uint8Array {
  return Bun.zstdCompressSync(bytes, { level: ZSTD_LEVEL })
}

const DEFLATE = 8
const VERSION = 20
// Made on Unix, so that the upper half of the attributes is the mode.
const MADE_ON_UNIX = 3 << 8
const DOS_TIME = 0
// The first day of 1980.
const DOS_DATE = (1 << 5) | 1

/** A zip archive (APPNOTE 6.3) of these files in this order. */
export function zip(entries: readonly Entry[]): Uint8Array {
  const bodies: Uint8Array[] = []
  const index: Uint8Array[] = []
  let at = 0
  for (const { path, bytes, mode } of entries) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(bytes, { level: GZIP_LEVEL })
    const facts = Buffer.alloc(26)
    for (const [i, value] of [VERSION, 0, DEFLATE, DOS_TIME, DOS_DATE].entries()) {
      facts.writeUInt16LE(value, i * 2)
    }
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, name])
    bodies.push(local, packed)

    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(((0o100000 | mode) << 16) >>> 0, 6)
    rest.writeUInt32LE(at, 10)
    const madeBy = Buffer.alloc(2)
    madeBy.writeUInt16LE(MADE_ON_UNIX | VERSION)
    index.push(Buffer.concat([Buffer.from('PK\x01\x02'), madeBy, facts, rest, name]))
    at += local.length + packed.length
  }
  const central = Buffer.concat(index)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...bodies, central, Buffer.from('PK\x05\x06'), end])
}
