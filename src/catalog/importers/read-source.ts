import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { Failure } from '../../platform/failure.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { reasonOf } from '../../platform/outgoing/reason.ts'

const FILE_BYTES_MAX = 64 * 1024 * 1024
const ANSWER_BYTES_MAX = 16 * 1024 * 1024
const TIMEOUT_MS = 30_000
const HOPS_MAX = 5
const DEPTH_MAX = 64
const START_BYTES = 64 * 1024

const agentHeaders = { 'user-agent': 'Beckon catalog import', accept: 'application/json, */*' }

export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source) && URL.canParse(source)
}

/** The beginning of a file, to recognise it by; empty for folders, addresses and missing files. */
export function readStart(source: string): string {
  if (isUrl(source)) return ''
  try {
    return firstBytes(source)
  } catch {
    return ''
  }
}

function firstBytes(path: string): string {
  const handle = openSync(path, 'r')
  try {
    const bytes = new Uint8Array(START_BYTES)
    return new TextDecoder().decode(bytes.subarray(0, readSync(handle, bytes)))
  } finally {
    closeSync(handle)
  }
}

/**
 * The text of a file of at most `most` bytes. Throws `invalid_input` if nothing is there, else
 * `malformed` that says what is wrong.
 */
export function readFileText(path: string, most = FILE_BYTES_MAX): string {
  let handle: number | undefined
  try {
    handle = openSync(path, 'r')
    const about = fstatSync(handle)
    if (!about.isFile()) throw refused(path, 'is no file')
    if (about.size > most) throw refused(path, `has more than ${most / 1024 / 1024} MiB`)
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(handle))
  } catch (error) {
    if (error instanceof Failure) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') {
      throw new Failure('invalid_input', `${path} is not there; nothing was imported.`)
    }
    throw refused(path, `cannot be read (${code ?? error})`)
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

function refused(source: string, why: string): Failure {
  return new Failure('malformed', `${source} ${why}; nothing was imported.`)
}

/** The JSON in a text, of bounded depth. Throws `malformed`. */
export function parseSourceJson(source: string, text: string): unknown {
  if (depthOf(text) > DEPTH_MAX) throw refused(source, `nests deeper than ${DEPTH_MAX} levels`)
  try {
    return JSON.parse(text)
  } catch {
    throw refused(source, 'is no JSON')
  }
}

/** How deep brackets nest; checked without recursion before parsing. */
function depthOf(text: string): number {
  let [depth, deepest, quoted] = [0, 0, false]
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (quoted) {
      if (char === 0x5c) i++
      else if (char === 0x22) quoted = false
    } else if (char === 0x22) quoted = true
    else if (char === 0x7b || char === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (char === 0x7d || char === 0x5d) depth--
  }
  return deepest
}

export type SourceRequest = { fetch: GuardedFetch['fetch']; signal?: AbortSignal }

/** Fetches an address through redirects, each of which is checked. Throws `unavailable`. */
export async function fetchText(url: string, { fetch, signal }: SourceRequest): Promise<string> {
  let at = url
  for (let hop = 0; hop <= HOPS_MAX; hop++) {
    const answer = await fetch(at, {
      headers: agentHeaders,
      timeoutMs: TIMEOUT_MS,
      maxBytes: ANSWER_BYTES_MAX,
      ...(signal ? { signal } : {}),
    })
    if (answer.outcome !== 'answered') throw unreadable(at, reasonOf(answer))
    const { status, headers, body, cut } = answer
    const next = status >= 300 && status < 400 ? URL.parse(headers.get('location') ?? '', at) : null
    if (next) {
      at = next.href
      continue
    }
    if (status !== 200) throw unreadable(at, `It answered HTTP ${status}.`)
    if (cut === 'long') throw unreadable(at, `It sent more than ${ANSWER_BYTES_MAX >> 20} MiB.`)
    if (cut === 'broken') throw unreadable(at, 'Its answer broke off or did not end in time.')
    return new TextDecoder().decode(body)
  }
  throw unreadable(url, `It redirects more than ${HOPS_MAX} times.`)
}

function unreadable(url: string, why: string): Failure {
  return new Failure('unavailable', `${url} cannot be read: ${why} Nothing was imported.`)
}

/** JSON from a file or an address, bounded either way. */
export async function readSourceJson(source: string, request: SourceRequest): Promise<unknown> {
  const text = isUrl(source) ? await fetchText(source, request) : readFileText(source)
  return parseSourceJson(source, text)
}
