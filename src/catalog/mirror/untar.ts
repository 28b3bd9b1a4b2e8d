const BLOCK = 512
const FIELD = { name: [0, 100], size: [124, 136], type: 156 } as const

/**
 * The plain files of a ustar archive, as views of `bytes`; stops at anything else. Not `nanotar`
 * nor `Bun.Archive`, which return no files if the end of the archive is missing.
 */
export function* untar(bytes: Uint8Array): Generator<{ name: string; body: Uint8Array }> {
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const head = bytes.subarray(at, at + BLOCK)
    const name = textIn(head, ...FIELD.name)
    const size = Number.parseInt(textIn(head, ...FIELD.size), 8)
    if (name === '' || !Number.isSafeInteger(size) || size < 0) return
    const from = at + BLOCK
    if (from + size > bytes.length) return
    if (head[FIELD.type] === '0'.charCodeAt(0)) {
      yield { name, body: bytes.subarray(from, from + size) }
    }
    at = from + Math.ceil(size / BLOCK) * BLOCK
  }
}

function textIn(head: Uint8Array, from: number, to: number): string {
  const field = Buffer.from(head.subarray(from, to)).toString('latin1')
  return field.split('\0')[0] ?? ''
}
