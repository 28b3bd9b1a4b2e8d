import { createHash } from 'node:crypto'

// Numbers of Mach-O (mach-o/loader.h) and of code signatures (kern/cs_blobs.h).
const MAGIC_64 = 0xfeedfacf
const HEADER = 32
const LC_SEGMENT_64 = 0x19
const LC_CODE_SIGNATURE = 0x1d
const SUPER_BLOB = 0xfade0cc0
const CODE_DIRECTORY = 0xfade0c02
const AD_HOC = 0x2
const LINKER_SIGNED = 0x20000
const MAIN_EXECUTABLE = 1n
const SHA256 = 2
const SHA256_LENGTH = 32
// The form that we write: pages of the size of x64, and the oldest directory that names its segment.
const PAGE_BITS = 12
const DIRECTORY_VERSION = 0x20400
const DIRECTORY_HEADER = 88
const SUPER_BLOB_HEADER = 20
// Segments begin on pages of arm64, which are the larger ones.
const SEGMENT_PAGE = 0x4000n

/** The statements of the signature of a Mach-O executable. */
export type MachOSignature = { identifier: string; isAdHoc: boolean; pages: number }

type Command = { type: number; at: number }

/**
 * Checks the code signature of a 64-bit Mach-O file as macOS does before it runs a page: it is the
 * end of the file and of `__LINKEDIT`, and its code directory has the SHA-256 of every page before
 * it. macOS on arm64 kills a program for which that is not so. Throws an `Error` that names the
 * first thing that is wrong.
 */
export function checkMachO(bytes: Uint8Array): MachOSignature {
  const { file, signed, linkEdit } = layoutOf(bytes)
  const start = file.getUint32(signed + 8, true)
  const size = file.getUint32(signed + 12, true)
  if (start + size !== bytes.length) throw new Error('The signature is not the end of the file.')
  const from = Number(file.getBigUint64(linkEdit + 40, true))
  const long = Number(file.getBigUint64(linkEdit + 48, true))
  if (from + long !== bytes.length) throw new Error('__LINKEDIT does not end with the file.')
  return checkDirectory(bytes, codeDirectory(bytes.subarray(start, start + size)), start)
}

/**
 * The file with an ad hoc signature in place of the one at its end, as linkers of Apple write it:
 * for a file that was changed after it had been signed, as `bun build --compile` leaves those of
 * macOS on x64.
 */
export function signAdHoc(original: Uint8Array, identifier: string): Uint8Array {
  const start = new DataView(original.buffer, original.byteOffset).getUint32(
    layoutOf(original).signed + 8,
    true,
  )
  const pages = Math.ceil(start / 2 ** PAGE_BITS)
  const hashesAt = DIRECTORY_HEADER + identifier.length + 1
  const length = hashesAt + pages * SHA256_LENGTH
  const bytes = Buffer.alloc(start + SUPER_BLOB_HEADER + length)
  bytes.set(original.subarray(0, start))
  const { file, signed, linkEdit, text } = layoutOf(bytes)
  file.setUint32(signed + 12, SUPER_BLOB_HEADER + length, true)
  const long = BigInt(bytes.length) - file.getBigUint64(linkEdit + 40, true)
  file.setBigUint64(linkEdit + 48, long, true)
  file.setBigUint64(linkEdit + 32, ((long + SEGMENT_PAGE - 1n) / SEGMENT_PAGE) * SEGMENT_PAGE, true)

  const blob = bytes.subarray(start)
  for (const [at, value] of [SUPER_BLOB, blob.length, 1, 0, SUPER_BLOB_HEADER].entries()) {
    blob.writeUInt32BE(value, at * 4)
  }
  const directory = blob.subarray(SUPER_BLOB_HEADER)
  const flags = AD_HOC | LINKER_SIGNED
  const head = [CODE_DIRECTORY, length, DIRECTORY_VERSION, flags, hashesAt, DIRECTORY_HEADER, 0]
  for (const [at, value] of [...head, pages, start].entries()) {
    directory.writeUInt32BE(value, at * 4)
  }
  directory.set([SHA256_LENGTH, SHA256, 0, PAGE_BITS], 36)
  directory.writeBigUInt64BE(file.getBigUint64(text + 40, true), 64)
  directory.writeBigUInt64BE(file.getBigUint64(text + 48, true), 72)
  directory.writeBigUInt64BE(MAIN_EXECUTABLE, 80)
  directory.write(identifier, DIRECTORY_HEADER, 'latin1')
  for (let page = 0; page < pages; page++) {
    directory.set(pageHash(bytes, page, 2 ** PAGE_BITS, start), hashesAt + page * SHA256_LENGTH)
  }
  return bytes
}

/** Where the load commands are that a signature has to do with. */
function layoutOf(bytes: Uint8Array) {
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER || file.getUint32(0, true) !== MAGIC_64) {
    throw new Error('This is not a 64-bit Mach-O file.')
  }
  const commands = commandsOf(file)
  const signed = commands.find(({ type }) => type === LC_CODE_SIGNATURE)
  if (!signed) throw new Error('The file has no code signature.')
  const segment = (segmentName: string) => {
    const match = commands.find(({ type, at }) => {
      const name = Buffer.from(bytes.subarray(at + 8, at + 24)).toString('latin1')
      return type === LC_SEGMENT_64 && name.startsWith(`${segmentName}\0`)
    })
    if (!match) throw new Error(`The file has no segment ${segmentName}.`)
    return match.at
  }
  return { file, signed: signed.at, linkEdit: segment('__LINKEDIT'), text: segment('__TEXT') }
}

function pageHash(bytes: Uint8Array, page: number, size: number, limit: number): Buffer {
  const body = bytes.subarray(page * size, Math.min((page + 1) * size, limit))
  return createHash('sha256').update(body).digest()
}

function commandsOf(file: DataView): Command[] {
  const commands: Command[] = []
  const end = HEADER + file.getUint32(20, true)
  for (let at = HEADER; at + 8 <= end; at += file.getUint32(at + 4, true)) {
    commands.push({ type: file.getUint32(at, true), at })
    if (file.getUint32(at + 4, true) < 8) throw new Error('A load command has no length.')
  }
  return commands
}

/** The code directory within the blob of a signature, whose numbers are big-endian. */
function codeDirectory(blob: Uint8Array): Buffer {
  const all = Buffer.from(blob)
  if (all.readUInt32BE(0) !== SUPER_BLOB) throw new Error('The signature has no super blob.')
  for (let i = 0; i < all.readUInt32BE(8); i++) {
    const at = all.readUInt32BE(12 + i * 8 + 4)
    if (all.readUInt32BE(at) === CODE_DIRECTORY) {
      return all.subarray(at, at + all.readUInt32BE(at + 4))
    }
  }
  throw new Error('The signature has no code directory.')
}

function checkDirectory(bytes: Uint8Array, directory: Buffer, signedUntil: number): MachOSignature {
  const flags = directory.readUInt32BE(12)
  const hashesAt = directory.readUInt32BE(16)
  const nameAt = directory.readUInt32BE(20)
  const pages = directory.readUInt32BE(28)
  const limit = directory.readUInt32BE(32)
  if (directory[36] !== SHA256_LENGTH || directory[37] !== SHA256) {
    throw new Error('The pages are not hashed with SHA-256.')
  }
  if (limit !== signedUntil) {
    throw new Error(`The signature covers ${limit} bytes of the ${signedUntil} before it.`)
  }
  const pageSize = 2 ** (directory[39] ?? 0)
  if (pages !== Math.ceil(limit / pageSize)) throw new Error('The number of pages is wrong.')
  for (let page = 0; page < pages; page++) {
    const at = hashesAt + page * SHA256_LENGTH
    const expected = directory.subarray(at, at + SHA256_LENGTH)
    if (!pageHash(bytes, page, pageSize, limit).equals(expected)) {
      throw new Error(`The hash of page ${page} of ${pages} is wrong.`)
    }
  }
  const name = directory.toString('latin1', nameAt, directory.indexOf(0, nameAt))
  return { identifier: name, isAdHoc: (flags & AD_HOC) !== 0, pages }
}
