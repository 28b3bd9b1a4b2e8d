import { type AnyElysia, Elysia } from 'elysia'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { createBucket, type Limits } from '../../platform/http/limits.ts'
import { readText } from '../../platform/http/request.ts'
import { hashToken } from '../accounts/model/agent.ts'
import type { PersonGone } from '../accounts/model/person-gone.ts'
import { SCIM_PATH } from './directories.ts'
import { errorReply, ScimFailure, scimError, scimReply } from './model/scim-error.ts'
import {
  type Directory,
  type DirectoryPerson,
  findDirectoryByToken,
  markDirectoryTokenUsed,
} from './model/store.ts'
import { type Operation, objectOf, patchUser, readUser } from './model/user.ts'
import { putRefusal } from './refusal.ts'
import * as groups from './scim-groups.ts'
import { PAGE_MAX, providerConfig, resourceTypes, schemas } from './scim-schemas.ts'
import * as users from './scim-users.ts'

export type ScimDeps = {
  db: Db
  clock: Clock
  limits: Pick<Limits, 'wrongToken'>
  baseUrl: string
  personGone: () => readonly PersonGone[]
  addressOf(request: Request): string
}

const RATE = { burst: 1_000, perMinute: 6_000, sentence: 'Too many requests of this directory.' }
const OPERATIONS_MAX = 1_000
const BODY_MAX = 1_000_000
const USED_EVERY_MS = 60_000
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** SCIM 2.0 (RFC 7643 and 7644), as far as directories use it. */
export function scimRoutes(deps: ScimDeps): AnyElysia {
  const calls = createBucket(deps.clock, RATE)
  return new Elysia().all(
    `${SCIM_PATH}/*`,
    async ({ request }) => {
      let directory: Directory | undefined
      try {
        directory = await requireDirectory(deps, request)
        calls.take(directory.id)
        return await answer(deps, request, directory)
      } catch (error) {
        const failure = asScimFailure(error)
        if (directory && failure.forOwners) await noteRefusal(deps, directory, failure.forOwners)
        return errorReply(failure)
      }
    },
    { parse: 'none' },
  )
}

/** Throws what is no failure of a request. */
function asScimFailure(error: unknown): ScimFailure {
  if (error instanceof ScimFailure) return error
  if (!(error instanceof Failure)) throw error
  const { code, status, message } = error
  return new ScimFailure(status, message, code === 'conflict' ? { forOwners: message } : {})
}

async function noteRefusal({ db, clock }: ScimDeps, { id }: Directory, why: string) {
  const at = clock.now()
  // It is only a note: the directory asks again, and gets its answer in any case.
  await db.write((tx) => putRefusal(tx, id, { at, why })).catch(() => {})
}

/** The directory behind the bearer token. Throws a 401. */
async function requireDirectory(deps: ScimDeps, request: Request): Promise<Directory> {
  const header = request.headers.get('authorization') ?? ''
  const token = /^Bearer +(bs_[0-9a-z]{40}) *$/i.exec(header)?.[1]
  const entry = token && (await findDirectoryByToken(deps.db.read, hashToken(token)))
  if (!entry) {
    deps.limits.wrongToken.take(deps.addressOf(request))
    throw scimError(
      401,
      'A directory token is needed: an owner makes one under Settings, Directory.',
    )
  }
  const at = deps.clock.now()
  // If this write fails, the next one follows a minute later.
  deps.db
    .write((tx) => markDirectoryTokenUsed(tx, entry.tokenId, { at, since: at - USED_EVERY_MS }))
    .catch(() => {})
  return entry.directory
}

type Call = { deps: ScimDeps; request: Request; directory: Directory; url: URL; base: string }

async function answer(deps: ScimDeps, request: Request, directory: Directory): Promise<Response> {
  const url = new URL(request.url)
  const base = `${deps.baseUrl}${SCIM_PATH}`
  const [kind = '', id, ...more] = url.pathname.slice(SCIM_PATH.length + 1).split('/')
  const call = { deps, request, directory, url, base }
  if (more.length === 0 && kind === 'Users') return await answerUsers(call, id)
  if (more.length === 0 && kind === 'Groups') return await answerGroups(call, id)
  const document = {
    ServiceProviderConfig: () => providerConfig(),
    ResourceTypes: () => listReply(resourceTypes(base)),
    Schemas: () => listReply(schemas()),
  }[kind]
  if (!document || id !== undefined) throw scimError(404, 'There is nothing at this address.')
  if (request.method !== 'GET') throw wrongMethod()
  return scimReply(document())
}

async function answerUsers(call: Call, id: string | undefined): Promise<Response> {
  const { request, directory, deps } = call
  const { method } = request
  if (id === undefined && method === 'GET') {
    const list = await showUsers(call, await users.listUsers(deps.db.read, directory))
    return scimReply(pageOf(call.url, list, USER_FILTERS))
  }
  if (id === undefined && method === 'POST') {
    const change = readUser(await readBody(request))
    const created = await changing(call, (tx, turn) => users.createUser(tx, turn, change))
    return await userReply(call, created, 201)
  }
  if (id === undefined) throw wrongMethod()
  if (method === 'GET') return await userReply(call, id)
  if (method === 'DELETE') {
    await changing(call, async (tx, turn) =>
      users.deleteUser(tx, turn, await users.requireUser(tx, turn, id)),
    )
    return scimReply(undefined, 204)
  }
  const isPatch = method === 'PATCH'
  if (!isPatch && method !== 'PUT') throw wrongMethod()
  const body = await readBody(request)
  await changing(call, async (tx, turn) => {
    const user = await users.requireUser(tx, turn, id)
    const { attributes } = user
    const change = isPatch ? patchUser(attributes, operationsIn(body)) : readUser(body, attributes)
    await users.writeUser(tx, turn, user, change)
  })
  return await userReply(call, id)
}

async function answerGroups(call: Call, id: string | undefined): Promise<Response> {
  const { request, directory, deps, base } = call
  const { method } = request
  const members = !/(^|,)\s*members\s*(,|$)/.test(
    call.url.searchParams.get('excludedAttributes') ?? '',
  )
  const reply = async (of: string, status = 200) => {
    const all = await groups.readGroups(deps.db.read, directory)
    const group = all.find((one) => one.group.id === of)
    if (!group) throw scimError(404, 'There is no such group here.')
    const body = groups.shownGroup(group, { base, members })
    return scimReply(body, status, status === 201 ? { location: body.meta.location } : {})
  }
  if (id === undefined && method === 'GET') {
    const all = await groups.readGroups(deps.db.read, directory)
    const list = all.map((group) => groups.shownGroup(group, { base, members }))
    return scimReply(pageOf(call.url, list, GROUP_FILTERS))
  }
  if (id === undefined && method === 'POST') {
    const body = await readBody(request)
    return await reply(await changing(call, (tx, turn) => groups.createGroup(tx, turn, body)), 201)
  }
  if (id === undefined) throw wrongMethod()
  if (method === 'GET') return await reply(id)
  if (method === 'DELETE') {
    await changing(call, async (tx, turn) =>
      groups.removeGroup(tx, turn, await groups.requireGroup(tx, turn, id)),
    )
    return scimReply(undefined, 204)
  }
  if (method !== 'PATCH' && method !== 'PUT') throw wrongMethod()
  const body = await readBody(request)
  await changing(call, async (tx, turn) => {
    const group = await groups.requireGroup(tx, turn, id)
    if (method === 'PUT') await groups.replaceGroup(tx, turn, group, body)
    else await groups.patchGroup(tx, turn, group, operationsIn(body))
  })
  return await reply(id)
}

/** All that a request changes, in one transaction. */
async function changing<T>(
  { deps, directory }: Call,
  work: (tx: Parameters<Parameters<Db['write']>[0]>[0], turn: users.Turn) => Promise<T>,
): Promise<T> {
  const turn = users.makeTurn(directory, deps.clock.now(), deps.personGone)
  const result = await deps.db.write((tx) => {
    turn.afterwards.length = 0
    return work(tx, turn)
  })
  for (const after of turn.afterwards) after()
  return result
}

async function userReply(call: Call, id: string, status = 200): Promise<Response> {
  const all = await users.listUsers(call.deps.db.read, call.directory)
  const [body] = await showUsers(
    call,
    all.filter((one) => one.id === id),
  )
  if (!body) throw scimError(404, 'There is no such user here.')
  return scimReply(body, status, status === 201 ? { location: body.meta.location } : {})
}

async function showUsers({ deps, directory, base }: Call, of: DirectoryPerson[]) {
  const all = await groups.readGroups(deps.db.read, directory)
  return of.map((user) => {
    const own = all.filter((one) => one.users.includes(user.id)).map(({ group }) => group)
    return users.shownUser(user, { base, groups: own })
  })
}

/** JSON, whatever its content type is called. */
async function readBody(request: Request): Promise<unknown> {
  const text = await readText(request)
  if (text.length > BODY_MAX) throw scimError(413, 'The body is larger than 1 MB.')
  try {
    return JSON.parse(text)
  } catch {
    throw scimError(400, 'The body is not valid JSON.', 'invalidSyntax')
  }
}

function operationsIn(body: unknown): Operation[] {
  const { Operations: list } = objectOf(body)
  if (!Array.isArray(list)) throw scimError(400, 'Operations must be a list.', 'invalidSyntax')
  if (list.length > OPERATIONS_MAX) {
    throw scimError(413, `There may be ${OPERATIONS_MAX} operations at most.`)
  }
  return list.map((one) => {
    const { op, path, value } = objectOf(one)
    const name = String(op).toLowerCase()
    if (name !== 'add' && name !== 'replace' && name !== 'remove') {
      throw scimError(400, 'op must be add, replace or remove.', 'invalidSyntax')
    }
    if (path !== undefined && path !== null && typeof path !== 'string') {
      throw scimError(400, 'path must be a text.', 'invalidPath')
    }
    return { op: name, path: path || undefined, value }
  })
}

type Resource = Record<string, unknown>
type Filters = Record<string, (resource: Resource) => unknown>

const USER_FILTERS: Filters = {
  username: ({ userName }) => userName,
  externalid: ({ externalId }) => externalId,
  displayname: ({ displayName }) => displayName,
  id: ({ id }) => id,
  'emails.value': ({ emails }) =>
    (emails as { value: string }[] | undefined)?.map((one) => one.value),
}
const GROUP_FILTERS: Filters = {
  externalid: ({ externalId }) => externalId,
  displayname: ({ displayName }) => displayName,
  id: ({ id }) => id,
}
const FILTER = /^\s*([\w.]+(?:\[[^\]]*\])?(?:\.value)?)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i

/** One page of those that the filter lets through. */
function pageOf({ searchParams }: URL, all: Resource[], filters: Filters) {
  const matching = filtered(all, searchParams.get('filter'), filters)
  const startIndex = Math.max(1, numberIn(searchParams.get('startIndex'), 1))
  const count = Math.min(PAGE_MAX, Math.max(0, numberIn(searchParams.get('count'), PAGE_MAX)))
  const page = matching.slice(startIndex - 1, startIndex - 1 + count)
  return listReply(page, { totalResults: matching.length, startIndex })
}

function listReply(page: unknown[], more: { totalResults?: number; startIndex?: number } = {}) {
  const { totalResults = page.length, startIndex = 1 } = more
  return { schemas: [LIST], totalResults, startIndex, itemsPerPage: page.length, Resources: page }
}

function numberIn(text: string | null, usual: number): number {
  const number = Number(text ?? usual)
  return Number.isInteger(number) ? number : usual
}

/** `ATTRIBUTE eq "TEXT"`, in any case; nothing else is understood. */
function filtered(all: Resource[], filter: string | null, filters: Filters): Resource[] {
  if (filter === null || filter.trim() === '') return all
  const [, name = '', quoted = '""'] = FILTER.exec(filter) ?? []
  const read = filters[name.toLowerCase().replace(/^emails(\[.*\])?\.value$/, 'emails.value')]
  if (!read) throw scimError(400, 'Only ATTRIBUTE eq "TEXT" is understood.', 'invalidFilter')
  const wanted = textIn(quoted).toLowerCase()
  return all.filter((resource) =>
    [read(resource)]
      .flat()
      .some((value) => typeof value === 'string' && value.toLowerCase() === wanted),
  )
}

function textIn(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    throw scimError(400, 'The text of the filter is not valid.', 'invalidFilter')
  }
}

function wrongMethod() {
  return scimError(405, 'This address does not take this method.')
}
