import type { Person } from '../accounts/model/person.ts'
import { validZone } from './times.ts'

/** The current time, and this person's time zone. */
export type Moment = { now: number; zone: string }

export const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** What a catalog of this server has about an MCP server. */
export type ServerRecord = { name: string; path: string; grade: string | undefined }

/** The record of the server with this command line or URL; undefined if none is certain. */
export type FindServerRecord = (server: string) => Promise<ServerRecord | undefined>

/** One request for a page, read once. */
export type Visit = {
  request: Request
  url: URL
  params: Record<string, string>
  moment: Moment
  theme: Theme
  person: Person | undefined
  /** Open questions, for the title and the navigation. */
  open: number
  /** The key with which a connected browser subscribes again, base64url. */
  vapidKey?: string
  /** The address of the directory of tools; undefined while it is empty. */
  catalog?: string | undefined
  recordOf?: FindServerRecord | undefined
  /** Stores nothing on the device: neither cookie nor script. */
  plain?: true
}

export type SignedIn = Visit & { person: Person }

export function readVisit(
  request: Request,
  params: Record<string, string>,
  now: number,
  person: Person | undefined,
  open: number,
): Visit {
  const cookies = readCookies(request.headers.get('cookie'))
  return {
    request,
    url: new URL(request.url),
    params,
    moment: { now, zone: validZone(cookies.get('zone')) },
    theme: THEMES.find((theme) => theme === cookies.get('theme')) ?? 'auto',
    person,
    open,
  }
}

function readCookies(header: string | null): Map<string, string> {
  const pairs = (header ?? '').split(';').map((pair) => {
    const [name = '', ...value] = pair.trim().split('=')
    return [name, decode(value.join('='))] as const
  })
  return new Map(pairs)
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}
