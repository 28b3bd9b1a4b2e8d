import { Type } from '@sinclair/typebox'
import { Failure } from '../../platform/failure.ts'
import { createBucket, type Limits } from '../../platform/http/limits.ts'
import { oneOf } from '../../platform/schema.ts'
import { hashToken } from '../accounts/model/agent.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { may as mayDo, must, mustBeProven } from '../accounts/model/person.ts'
import { findRole } from '../accounts/model/person-store.ts'
import { type Callers, openRoute, type Route, signedIn, withDeps } from '../rest/route.ts'
import { type Applying, applyFile, compareFile, type FileDeps, releaseFile } from './apply-file.ts'
import { exportFile } from './export-file.ts'
import { lintHere } from './lint-file.ts'
import { findPolicyToken, markPolicyTokenUsed, type PolicyToken } from './model/store.ts'
import { tryFile } from './try-file.ts'

export type FileRestDeps = FileDeps &
  Pick<Callers, 'authentication'> & {
    baseUrl: string
    limits: Pick<Limits, 'wrongToken'>
    addressOf(request: Request): string
  }

type Deps = FileRestDeps & { calls: ReturnType<typeof createBucket> }

const RATE = { burst: 60, perMinute: 120, sentence: 'Too many requests with this token.' }
const USED_EVERY_MS = 60_000
const TEXT_MAX = 900_000
const DAYS_MAX = 90

const text = Type.String({ maxLength: TEXT_MAX, description: 'The policy file, in YAML.' })
const name = Type.Optional(
  Type.String({ minLength: 1, maxLength: 100, description: 'The name of the file.' }),
)
const short = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 500, description }))

const Difference = Type.Object({
  part: oneOf(['policy', 'group', 'rota', 'rule', 'protect', 'visibility']),
  name: Type.String(),
  change: oneOf(['added', 'removed', 'changed']),
  fields: Type.Array(
    Type.Object({
      field: Type.String(),
      before: Type.Optional(Type.Unknown()),
      now: Type.Optional(Type.Unknown()),
    }),
  ),
})
const Comparison = {
  state: Type.String({ description: 'The digest of what is in force.' }),
  isFromFile: Type.Boolean({
    description: 'It comes from a file, so that pages do not change it.',
  }),
  differences: Type.Array(Difference),
}
const Outcome = Type.Object({
  is: oneOf(['allowed', 'declined', 'asked', 'stopped', 'told', 'terminal']),
  of: Type.Optional(Type.String()),
  rule: Type.Optional(Type.String()),
})
const ChangedCalls = Type.Array(
  Type.Object({
    before: Outcome,
    now: Outcome,
    calls: Type.Integer(),
    examples: Type.Array(
      Type.Object({
        id: Type.String(),
        tool: Type.Optional(Type.String()),
        target: Type.Optional(Type.String()),
      }),
    ),
  }),
)
const problems = ['unauthenticated', 'forbidden', 'conflict'] as const

type Caller = { workspaceId: WorkspaceId; by: Applying['by'] }

/** An owner, signed in, or a token for the policy file. */
async function callerOf(deps: Deps, request: Request, may: 'read' | 'write'): Promise<Caller> {
  if (!request.headers.has('authorization')) {
    const person = await signedIn(deps.authentication, request)
    must(person, 'policy')
    if (may === 'write') mustBeProven(person)
    return { workspaceId: person.workspaceId, by: { id: person.id, name: person.name } }
  }
  const header = request.headers.get('authorization') ?? ''
  const token = /^Bearer +(bp_[0-9a-z]{40}) *$/i.exec(header)?.[1]
  const entry = token && (await findPolicyToken(deps.db.read, hashToken(token)))
  if (!entry) {
    deps.limits.wrongToken.take(deps.addressOf(request))
    const cure = 'an owner makes one under Settings, Rules, Policy file'
    throw new Failure('unauthenticated', `A token for the policy file is needed: ${cure}.`)
  }
  deps.calls.take(entry.id)
  await mustBeOfOwner(deps, entry)
  if (may === 'write' && entry.may !== 'write') {
    throw new Failure('forbidden', `The token ${entry.name} may only read; nothing was changed.`)
  }
  const at = deps.clock.now()
  // If this write fails, the next one follows a minute later.
  deps.db
    .write((tx) => markPolicyTokenUsed(tx, entry.id, { at, since: at - USED_EVERY_MS }))
    .catch(() => {})
  return {
    workspaceId: entry.workspaceId,
    by: { name: `the token ${entry.name}`, maker: entry.createdBy },
  }
}

/** A token does what its maker may: whoever was removed, or is no owner any more, still knows it. */
async function mustBeOfOwner(
  { db }: Pick<Deps, 'db'>,
  { workspaceId, name, createdBy: id }: PolicyToken,
): Promise<void> {
  // Rows of earlier versions do not say who made them.
  if (id === null) return
  const role = await findRole(db.read, workspaceId, id)
  if (role && mayDo({ id, role }, 'policy')) return
  const why = 'whoever made it is no owner here any more'
  throw new Failure('forbidden', `The token ${name} is refused: ${why}. An owner makes another.`)
}

const getFile = openRoute(
  {
    method: 'GET',
    path: '/policy/file',
    summary: 'Policy, groups and rules as the text of a file.',
    result: Type.Object({ text: Type.String() }),
    problems,
  },
  async (deps: Deps, { caller }) => {
    const { workspaceId } = caller as Caller
    return { text: await exportFile(deps, workspaceId, deps) }
  },
)

const postUpdate = openRoute(
  {
    method: 'POST',
    path: '/policy/file/update',
    summary: 'The text of a file, brought up to date: comments and order stay.',
    input: Type.Object({ text }, { additionalProperties: false }),
    result: Type.Object({ text: Type.String() }),
    problems,
  },
  async (deps: Deps, { caller, input }) => {
    const { workspaceId } = caller as Caller
    const { baseUrl } = deps
    return { text: await exportFile(deps, workspaceId, { baseUrl, before: input.text }) }
  },
)

const postLint = openRoute(
  {
    method: 'POST',
    path: '/policy/file/lint',
    summary: 'What is wrong with a file, by field and line.',
    input: Type.Object({ text }, { additionalProperties: false }),
    result: Type.Object({
      findings: Type.Array(
        Type.Object({
          level: oneOf(['error', 'warning', 'note']),
          line: Type.Integer(),
          field: Type.String(),
          must: Type.String(),
        }),
      ),
    }),
    problems,
  },
  async (deps: Deps, { caller, input }) => {
    const { workspaceId } = caller as Caller
    return { findings: await lintHere(deps, workspaceId, input.text) }
  },
)

const postDiff = openRoute(
  {
    method: 'POST',
    path: '/policy/file/diff',
    summary: 'What applying a file would change.',
    input: Type.Object({ text, name }, { additionalProperties: false }),
    result: Type.Object(Comparison),
    problems,
  },
  async (deps: Deps, { caller, input }) => {
    const { workspaceId } = caller as Caller
    return compareFile(deps, workspaceId, { name: 'policy.yaml', ...input })
  },
)

const postTry = openRoute(
  {
    method: 'POST',
    path: '/policy/file/try',
    summary: 'What would have become of the calls of the last days; changes nothing.',
    input: Type.Object(
      {
        text,
        name,
        days: Type.Optional(Type.Integer({ minimum: 1, maximum: DAYS_MAX, default: 30 })),
      },
      { additionalProperties: false },
    ),
    result: Type.Object({
      days: Type.Integer(),
      calls: Type.Integer(),
      outcomes: Type.Array(Type.Object({ outcome: Outcome, calls: Type.Integer() })),
      changed: ChangedCalls,
      watching: Type.Array(
        Type.Object({ rule: Type.String(), calls: Type.Integer(), changed: ChangedCalls }),
        { description: 'What each rule that only watches would change, if it acted.' },
      ),
    }),
    problems,
  },
  async (deps: Deps, { caller, input }) => {
    const { workspaceId } = caller as Caller
    return tryFile(deps, workspaceId, { name: 'policy.yaml', days: 30, ...input })
  },
)

const postApply = openRoute(
  {
    method: 'POST',
    path: '/policy/file/apply',
    summary: 'Make a file what is in force, whole or not at all.',
    input: Type.Object(
      {
        text,
        name,
        because: short('Why, for the audit trail.'),
        commit: short('Where the file comes from, for the audit trail.'),
        base: short('The digest of the state that it is for; another one is refused.'),
      },
      { additionalProperties: false },
    ),
    result: Type.Object({ ...Comparison, before: Type.String() }),
    problems,
  },
  async (deps: Deps, { caller, input }) => {
    const { workspaceId, by } = caller as Caller
    return applyFile(deps, workspaceId, { name: 'policy.yaml', ...input, by })
  },
)

const postRelease = openRoute(
  {
    method: 'POST',
    path: '/policy/file/release',
    summary: 'Let the pages change policy, groups and rules again.',
    problems,
  },
  async (deps: Deps, { caller }) => {
    const { workspaceId, by } = caller as Caller
    await releaseFile(deps, workspaceId, by)
  },
)

export function fileRoutes(parts: FileRestDeps): Route[] {
  const deps = { ...parts, calls: createBucket(parts.clock, RATE) }
  const guarded = (routes: ReadonlyArray<Route<Deps>>, may: 'read' | 'write') =>
    withDeps(deps, routes).map((route) => ({
      ...route,
      guard: (_: unknown, request: Request) => callerOf(deps, request, may),
    }))
  const reading = [getFile, postUpdate, postLint, postDiff, postTry]
  return [...guarded(reading, 'read'), ...guarded([postApply, postRelease], 'write')]
}
