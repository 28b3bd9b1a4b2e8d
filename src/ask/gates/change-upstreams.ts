import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { shape } from '../../platform/schema.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { must, type Person } from '../accounts/model/person.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { GateAddress } from '../wire/gate-fields.ts'
import type { Upstream } from './model/upstream.ts'
import {
  deleteUpstream,
  findUpstream,
  listUpstreams,
  saveUpstream,
} from './model/upstream-store.ts'
import { serverLine } from './server-line.ts'

type Deps = { db: Db; clock: Clock; outside: Pick<GuardedFetch, 'refusal'> }

/** What an owner enters. An empty secret stays as it is, if the address is at the same place. */
export type UpstreamInput = { name: string; url: string; headerName: string; secret: string }

/** The most servers of a workspace over HTTP. */
const UPSTREAMS_MAX = 100
const URL_MAX = 2_000
const SECRET_MAX = 8_000

const address = shape(GateAddress)

/**
 * Stores a server that agents reach through a gate of this server, in place of the one of that name.
 * Throws `forbidden`, `invalid_input`, `limit_reached`.
 */
export async function changeUpstream(
  { db, clock, outside }: Deps,
  person: Person,
  input: UpstreamInput,
): Promise<void> {
  must(person, 'policy')
  const { workspaceId } = person
  const { name, url, headerName } = readUpstream(outside, input)
  const at = clock.now()
  const stamp = auditStamp(at)
  await db.write(async (tx) => {
    await tx.lock(`upstreams ${workspaceId}`)
    const before = await findUpstream(tx, workspaceId, name)
    if (!before) await holdToUpstreams(tx, workspaceId)
    const headerValue = secretFor(input.secret, { url, headerName }, before)
    const header = headerName === undefined ? NO_HEADER : { headerName, headerValue }
    const tokenId = undefined
    await saveUpstream(tx, { workspaceId, name, url, ...header, tokenId, changedAt: at })
    await recordChange(tx, stamp, {
      workspaceId,
      kind: 'gate.changed',
      personId: person.id,
      subjectId: name,
      subjectName: name,
      detail: `over HTTP, to ${serverLine(url)}`,
    })
  })
}

/** Removes a server over HTTP; its tools stay as they were confirmed. Throws `forbidden`, `not_found`. */
export async function removeUpstream(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  person: Person,
  name: string,
): Promise<void> {
  must(person, 'policy')
  const { workspaceId } = person
  const stamp = auditStamp(clock.now())
  await db.write(async (tx) => {
    if (!(await deleteUpstream(tx, workspaceId, name)))
      throw new Failure('not_found', 'There is no such gate here.')
    await recordChange(tx, stamp, {
      workspaceId,
      kind: 'gate.changed',
      personId: person.id,
      subjectId: name,
      subjectName: name,
      detail: 'over HTTP, removed',
    })
  })
}

const NO_HEADER = { headerName: undefined, headerValue: undefined }
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
// The connection and the protocol set these.
const NOT_THESE =
  /^(host|connection|content-.*|transfer-encoding|accept.*|te|upgrade|expect|mcp-.*)$/i

/** Name, address and header as they are stored. Throws `invalid_input`. */
export function readUpstream(outside: Deps['outside'], input: Omit<UpstreamInput, 'secret'>) {
  const { name } = address.parse({ name: input.name.trim() })
  if (SUBCOMMANDS.has(name))
    throw wrongFields([{ field: 'name', must: 'must not be add or remove' }])
  const url = input.url.trim()
  const refused =
    url.length > URL_MAX ? `It has more than ${URL_MAX} characters.` : outside.refusal(url)
  if (refused !== undefined) throw wrongFields([{ field: 'url', must: `is not taken: ${refused}` }])
  if (new URL(url).hash !== '') throw wrongFields([{ field: 'url', must: 'must not have a "#"' }])
  const headerName = input.headerName.trim() || undefined
  if (headerName !== undefined && (!HEADER_NAME.test(headerName) || NOT_THESE.test(headerName)))
    throw wrongFields([
      {
        field: 'headerName',
        must: 'must be the name of a header for a secret, such as Authorization',
      },
    ])
  return { name, url, headerName }
}

// Names of subcommands of `beckon gate`.
const SUBCOMMANDS = new Set(['add', 'remove'])

type Target = Pick<Upstream, 'url' | 'headerName'>

/** A stored secret goes only where it went before. Throws `invalid_input`. */
export function secretFor(
  secret: string,
  { url, headerName }: Target,
  before: Upstream | undefined,
): string | undefined {
  if (headerName === undefined) return undefined
  const value = secret.trim()
  if (value === '') {
    const isSame =
      before?.headerName?.toLowerCase() === headerName.toLowerCase() &&
      new URL(before.url).origin === new URL(url).origin
    if (isSame) return before?.headerValue
    throw wrongFields([{ field: 'secret', must: 'is missing: enter what the header has to say' }])
  }
  if (value.length > SECRET_MAX || !/^[\x20-\x7e]+$/.test(value))
    throw wrongFields([
      {
        field: 'secret',
        must: `must be at most ${SECRET_MAX} visible ASCII characters on one line`,
      },
    ])
  return value
}

/** Throws `limit_reached` if a workspace may have no further server over HTTP. */
export async function holdToUpstreams(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  if ((await listUpstreams(tx, workspaceId)).length < UPSTREAMS_MAX) return
  throw new Failure(
    'limit_reached',
    `This workspace has ${UPSTREAMS_MAX} gates over HTTP, the most it may have. Remove one first.`,
  )
}
