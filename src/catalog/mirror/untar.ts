const BLOCK = 512
const FIELD = { name: [0, 100], size: [124, 136], type: 156 } as const

/**
 * The plain files of a ustar archive, as they come; stops at anything else, and at a file of more
 * than `most` bytes. Not `nanotar` nor `Bun.Archive`, which hold the whole archive and return no
 * files if its end is missing.
 */
export async function* untar(
  archive: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<{ name: string; body: Uint8Array }> {
  const read = exactReader(archive)
  for (let head = await read(BLOCK); head; head = await read(BLOCK)) {
    const name = textIn(head, ...FIELD.name)
    const size = Number.parseInt(textIn(head, ...FIELD.size), 8)
    if (name === '' || !(size >= 0 && size <= most)) return
    const body = await read(size)
    if (!body) return
    if (head[FIELD.type] === '0'.charCodeAt(0)) yield { name, body }
    await read((BLOCK - (size % BLOCK)) % BLOCK)
  }
}

/** Returns the next `size` bytes; undefined if there are fewer. */
function exactReader(chunks: AsyncIterable<Uint8Array>) {
  const next = chunks[Symbol.asyncIterator]()
  let rest: Uint8Array[] = []
  let length = 0
  return async (size: number): Promise<Uint8Array | undefined> => {
    while (length < size) {
      const { value, done } = await next.next()
      if (done) return undefined
      rest.push(value)
      length += value.length
    }
    const [first] = rest
    const whole = rest.length === 1 && first ? first : Buffer.concat(rest)
    rest = [whole.subarray(size)]
    length -= size
    return whole.subarray(0, size)
  }
}

function textIn(head: Uint8Array, from: number, to: number): string {
  const field = Buffer.from(head.subarray(from, to)).toString('latin1')
  return field.split('\0')[0] ?? ''
}
