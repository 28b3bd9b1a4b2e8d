// What a row takes beside its texts: ids, numbers, its places in the indexes.
const AROUND = 200

/** About how many bytes a row takes whose texts and JSON values these are. */
export function rowBytes(...written: unknown[]): number {
  let bytes = AROUND
  for (const value of written) {
    if (value === undefined || value === null) continue
    bytes += Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))
  }
  return bytes
}
