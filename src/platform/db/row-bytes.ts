// The bytes of a row besides its texts: ids, numbers, its index entries.
const AROUND = 200

/** About how many bytes a row takes with these texts and JSON values. */
export function rowBytes(...written: unknown[]): number {
  let bytes = AROUND
  for (const value of written) {
    if (value === undefined || value === null) continue
    bytes += Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))
  }
  return bytes
}
