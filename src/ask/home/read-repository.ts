import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { idBody } from '../../platform/ids.ts'
import { idCursor, LIST_SIZE, limitOf, pageOf, readInSteps } from '../../platform/paging.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import type { Person } from '../accounts/model/person.ts'
import type { Rule } from '../policy/model/rule.ts'
import { bySpecificity } from '../policy/model/rule-index.ts'
import type { Policies } from '../policy/model/store.ts'
import { readSessions, type SeenSession } from '../presence/read-sessions.ts'
import { countOpenByRepository } from '../questions/model/open-filter-store.ts'
import type { Question } from '../questions/model/question.ts'
import { countOpenQuestions, listOpenQuestions, listQuestions } from '../questions/model/store.ts'
import type { Ratified } from '../scopes/model/contract.ts'
import { findInForce } from '../scopes/model/store.ts'
import type { QuestionId } from '../wire/ids.ts'

type Deps = { db: Db; clock: Clock; policies: Policies }
/** Counts leave out what this person snoozed, as the inbox does. */
type Viewer = Pick<Person, 'id' | 'workspaceId' | 'sees'>

/** A repository as sessions of the last week and open questions name it. */
export type ListedRepository = {
  repoKey: string
  /** The agent that worked in it last. */
  agentName: string | undefined
  sessions: number
  waiting: number
  at: number
}

/**
 * The repositories of the sessions of the last week and of the questions that wait for a person:
 * those with such questions first, then the latest.
 */
export async function listRepositories(deps: Deps, person: Viewer): Promise<ListedRepository[]> {
  const { db, clock } = deps
  const open = await countOpenByRepository(db.read, person, clock.now(), {
    viewer: person.id,
  })
  const asking = open.map(({ open: waiting, ...one }) => ({ ...one, sessions: 0, waiting }))
  const byKey = new Map<string, ListedRepository>(asking.map((one) => [one.repoKey, one]))
  for (const { session } of await readSessions(deps, person)) {
    const { repoKey, agentName, lastSeenAt } = session
    if (repoKey === undefined) continue
    const repository = byKey.get(repoKey) ?? { repoKey, agentName, sessions: 0, waiting: 0, at: 0 }
    repository.sessions++
    if (lastSeenAt > repository.at) repository.agentName = agentName ?? repository.agentName
    repository.at = Math.max(repository.at, lastSeenAt)
    byKey.set(repoKey, repository)
  }
  return [...byKey.values()].sort(
    (a, b) => Number(b.waiting > 0) - Number(a.waiting > 0) || b.at - a.at,
  )
}

export type Repository = {
  /** The sessions of the last week, the blocked first. */
  sessions: SeenSession[]
  /** Those that wait for the person, the nearest deadline first; at most `OPEN_MAX`. */
  open: Question[]
  /** How many wait. */
  waiting: number
  /** The rules for this repository, the most specific first. */
  rules: Rule[]
  /** How many rules are for every repository. */
  others: number
  /** The scopes that hold now. */
  scopes: { seen: SeenSession; scope: Ratified }[]
  /** The questions of the repository, the latest first. */
  questions: Question[]
  next?: string
}

/** A page shows as many questions that wait; the others are in the inbox. */
const OPEN_MAX = 10
const SCOPES_MAX = 50

/** Reads the page of a repository. Throws `malformed` for a cursor that is not one of its own. */
export async function readRepository(
  deps: Deps,
  of: { person: Viewer; repoKey: string },
  cursor: string | undefined,
): Promise<Repository> {
  const { db, clock, policies } = deps
  const { person, repoKey } = of
  const { workspaceId, id: viewer } = person
  const only = { repoKey, viewer }
  const from = idCursor({ cursor })
  const limit = limitOf({}, LIST_SIZE)
  const [sessions, open, waiting, { allRules: rules }, questions] = await Promise.all([
    readSessions(deps, person, repoKey),
    listOpenQuestions(db.read, person, clock.now(), OPEN_MAX, undefined, only),
    countOpenQuestions(db.read, person, clock.now(), only),
    policies.of(workspaceId),
    readInSteps<Question>(limit + 1, (last, limit) => {
      const before = last?.id ?? (from === undefined ? undefined : (`q_${from}` as QuestionId))
      return listQuestions(db.read, person, { before, limit, repoKey })
    }),
  ])
  const page = pageOf(questions, limit, ({ id }) => idBody(id))
  return {
    sessions,
    open,
    waiting,
    rules: bySpecificity(rules).filter(({ match }) => match.repoKey === repoKey),
    others: rules.filter(({ match }) => match.repoKey === undefined).length,
    scopes: await scopesOf(deps, workspaceId, sessions),
    questions: page.items,
    ...(page.next === undefined ? {} : { next: page.next }),
  }
}

async function scopesOf({ db, clock }: Deps, workspaceId: WorkspaceId, sessions: SeenSession[]) {
  const scopes: Repository['scopes'] = []
  for (const seen of sessions.slice(0, SCOPES_MAX)) {
    const key = { workspaceId, sessionId: seen.session.sessionId, test: seen.session.test }
    const scope = await findInForce(db.read, key, clock.now())
    if (scope) scopes.push({ seen, scope })
  }
  return scopes
}
