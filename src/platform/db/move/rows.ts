/** A value in the form that both databases store. */
type Value = string | number | Uint8Array | null

/**
 * A table from the database's catalog: its columns in the order in which rows are moved, and its
 * key.
 */
export type Table = { name: string; columns: string[]; key: string[] }

/** One row, in the order of `Table.columns`. */
export type Row = readonly Value[]

/** The content of a table: two tables with the same digest have the same rows. */
export type Contents = { name: string; rows: number; sha256: string }

const ENCODER = new TextEncoder()

/** Adds rows to the digest, in the order of their key. */
export function createDigest() {
  const hash = new Bun.CryptoHasher('sha256')
  let rows = 0
  return {
    add(row: Row) {
      rows++
      for (const value of row) addValue(hash, value)
    },
    contents: (name: string): Contents => ({ name, rows, sha256: hash.digest('hex') }),
  }
}

/** Each value begins with its kind and length, so that no two different rows look alike. */
function addValue(hash: Bun.CryptoHasher, value: Value): void {
  if (value === null) return void hash.update('n;')
  if (typeof value === 'number') return void hash.update(`i${value};`)
  const bytes = typeof value === 'string' ? ENCODER.encode(value) : value
  hash.update(`${typeof value === 'string' ? 't' : 'b'}${bytes.length}:`)
  hash.update(bytes)
}

/** A name, quoted as in both dialects. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** All rows of a table in the order of its key; texts order by their bytes in both databases. */
export function selectAll({ name, columns, key }: Table): string {
  return `select ${columns.map(quoted)} from ${quoted(name)} order by ${key.map(quoted)}`
}
