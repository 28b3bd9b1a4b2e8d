import { createGzip } from 'node:zlib'

/** A file of an archive; its bytes are made when its turn comes. */
export type ArchiveFile = { name: string; bytes(): Uint8Array }

// A header in octal digits, as tar has had since 1988 (POSIX ustar).
const BLOCK = 512
const MODE = '0000644'
const NOBODY = '0000000'
const LEVEL = 6
// The byte in which gzip names the operating system (RFC 1952): set to unknown, so that all write
// the same.
const SYSTEM_AT = 9
const UNKNOWN_SYSTEM = 255

/**
 * Packs these files in this order into a `.tar.gz`. It has no times and owners, so the same files
 * give the same bytes, which `Bun.Archive` does not offer. Compression runs off the event loop, and
 * other work may run between two files.
 */
export async function packArchive(files: Iterable<ArchiveFile>): Promise<Uint8Array<ArrayBuffer>> {
  const gzip = createGzip({ level: LEVEL })
  const chunks: Uint8Array[] = []
  gzip.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => {
    gzip.on('end', resolve)
    gzip.on('error', reject)
  })
  for (const { name, bytes } of files) {
    const body = bytes()
    const rest = (BLOCK - (body.length % BLOCK)) % BLOCK
    for (const part of [header(name, body.length), body, new Uint8Array(rest)]) {
      await new Promise<void>((resolve, reject) => {
        gzip.write(part, (error) => (error ? reject(error) : resolve()))
      })
    }
    await Bun.sleep(0)
  }
  gzip.end(new Uint8Array(2 * BLOCK))
  await ended
  const whole = Buffer.concat(chunks)
  whole[SYSTEM_AT] = UNKNOWN_SYSTEM
  return whole
}

function header(name: string, size: number): Uint8Array {
  const block = Buffer.alloc(BLOCK)
  if (name.length > 100) throw new Error(`${name} is too long for an archive`)
  block.write(name, 0, 'latin1')
  block.write(MODE, 100)
  block.write(NOBODY, 108)
  block.write(NOBODY, 116)
  block.write(size.toString(8).padStart(11, '0'), 124)
  block.write('00000000000', 136)
  // The checksum counts its own field as spaces.
  block.write('        ', 148)
  block.write('0', 156)
  block.write('ustar\0', 257)
  block.write('00', 263)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}
