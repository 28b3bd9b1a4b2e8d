import { Failure } from '../../platform/failure.ts'
import { type MinisignKey, verifiedComment } from '../../platform/signing/minisign.ts'
import { sha256 } from '../../platform/signing/sha256.ts'

/** A release that is signed with our key. */
export type Release = {
  version: string
  /** SHA-256 in hex, by the name of the file. */
  sums: ReadonlyMap<string, string>
}

/** The channel could not be reached, or the connection broke off. */
export class Unreachable extends Error {}

const LIST_MAX = 64 * 1024
const ARCHIVE_MAX = 500 * 1024 * 1024
// A connection that was silent for this long will bring nothing more.
const STALL_MS = 30_000
// Compressed transfers have no useful length.
const PLAIN = { 'accept-encoding': 'identity' }
const SUM = /^([0-9a-f]{64}) [ *](\S+)$/
const COMMENT = /^beckon (\d+\.\d+\.\d+(?:-[\w.]+)?)$/

/**
 * The newest release at `url`, from its signed list of checksums. Throws `Unreachable`, or a
 * `Failure` if our key did not sign the list.
 */
export async function newestRelease(url: string, key: MinisignKey): Promise<Release> {
  const from = `${url}/latest/download`
  const list = await read(`${from}/SHA256SUMS`, LIST_MAX)
  const signature = await read(`${from}/SHA256SUMS.minisig`, LIST_MAX)
  const comment = verifiedComment(list, new TextDecoder().decode(signature), key)
  const version = COMMENT.exec(comment ?? '')?.[1]
  if (version === undefined) {
    throw new Failure(
      'unavailable',
      `The list of files at ${from} is not signed with the key of this beckon, so nothing of it is used.`,
    )
  }
  const rows = new TextDecoder().decode(list).split('\n')
  const sums = rows.flatMap((row) => {
    const [, sum, name] = SUM.exec(row) ?? []
    return sum && name ? [[name, sum] as const] : []
  })
  return { version, sums: new Map(sums) }
}

/**
 * A complete file of the release, with the signed checksum. `onBytes` is called with the bytes so
 * far, and with the total if the channel says so. Throws as `newestRelease` does.
 */
export async function readReleased(
  { url, release, name }: { url: string; release: Release; name: string },
  onBytes: (done: number, of: number | undefined) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const checksum = release.sums.get(name)
  if (!checksum) {
    throw new Failure('not_found', `Release ${release.version} has no ${name} for this system.`)
  }
  const bytes = await read(`${url}/download/v${release.version}/${name}`, ARCHIVE_MAX, onBytes)
  if (sha256(bytes) === checksum) return bytes
  throw new Failure(
    'unavailable',
    `${name} came with another checksum than the signed one: it is damaged or not ours, and was thrown away.`,
  )
}

async function read(
  url: string,
  most: number,
  onBytes?: (done: number, of: number | undefined) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const stalled = new AbortController()
  let timer = setTimeout(() => stalled.abort(), STALL_MS)
  try {
    const response = await fetch(url, { signal: stalled.signal, headers: PLAIN })
    if (response.status === 404) throw new Failure('not_found', `There is no release at ${url}.`)
    if (!response.ok) throw new Unreachable(`${url} answers with ${response.status}.`)
    const length = Number(response.headers.get('content-length')) || undefined
    const chunks: Uint8Array[] = []
    let done = 0
    for await (const chunk of response.body ?? []) {
      clearTimeout(timer)
      timer = setTimeout(() => stalled.abort(), STALL_MS)
      chunks.push(chunk)
      done += chunk.length
      if (done > most) throw new Failure('too_large', `${url} is larger than any release.`)
      onBytes?.(done, length)
    }
    if (length !== undefined && done < length) throw new Unreachable(`${url} broke off.`)
    return new Uint8Array(Buffer.concat(chunks))
  } catch (error) {
    if (error instanceof Failure || error instanceof Unreachable) throw error
    // The runtime's messages are for programmers; its codes are short words.
    const { code } = error as { code?: unknown }
    const codeText = typeof code === 'string' ? code : 'the connection failed'
    const why = stalled.signal.aborted ? 'nothing came for 30 seconds' : codeText
    throw new Unreachable(`${url} could not be read: ${why}.`)
  } finally {
    clearTimeout(timer)
  }
}
