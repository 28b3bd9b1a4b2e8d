import { join } from 'node:path'
import type { CallMatch } from '../../ask/wire/call-match.ts'
import { hmac } from '../../platform/signing/hmac.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import { keepFile, machineKey, readStateFile } from '../state/state-files.ts'
import type { Service } from './context.ts'

/**
 * Keeps the calls that rules decide for sessions that cannot reach the server when they begin. Never
 * throws: a session that was told knows its own.
 */
export function keepRuleMatches(
  state: string,
  service: Service,
  matches: readonly CallMatch[],
): void {
  try {
    const path = pathOf(state, service)
    const body = JSON.stringify(matches)
    const text = `${signature(state, service, body)}\n${body}`
    if (readStateFile(path) !== text) keepFile(path, text)
  } catch {
    // The next reply is kept instead.
  }
}

// Whatever was in the file, some rule may be about some call.
const EVERY_CALL: readonly CallMatch[] = [{}]

/**
 * The calls that rules decided when the server last said so to any session of this machine; undefined
 * if it never did. If the file cannot be trusted, every call may be one. Never throws.
 */
export function lastRuleMatches(state: string, service: Service): readonly CallMatch[] | undefined {
  try {
    const text = readStateFile(pathOf(state, service))
    if (text === undefined) return undefined
    const end = text.indexOf('\n')
    const body = text.slice(end + 1)
    if (text.slice(0, end) !== signature(state, service, body)) return EVERY_CALL
    return JSON.parse(body) as CallMatch[]
  } catch {
    return EVERY_CALL
  }
}

function signature(state: string, service: Service, body: string): string {
  return hmac(machineKey(state), `rules\0${nameOf(service)}\0${body}`, 'hex')
}

/** Rules may be about the token, so each has a file. */
function pathOf(state: string, service: Service): string {
  return join(state, 'rules', nameOf(service))
}

function nameOf({ url, token }: Service): string {
  return sha256(`${url}\0${token}`)
}
