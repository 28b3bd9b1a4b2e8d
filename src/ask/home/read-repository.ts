import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { idBody } from '../../platform/ids.ts'
import { idCursor, LIST_SIZE, limitOf, pageOf, readInSteps } from '../../platform/paging.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { bySpecificity, type Rule } from '../policy/model/rule.ts'
import type { Policies } from '../policy/model/store.ts'
import { readSessions, type SeenSession } from '../presence/read-sessions.ts'
import type { Question } from '../questions/model/question.ts'
import { listOpenQuestions, listQuestions } from '../questions/model/store.ts'
import type { Ratified } from '../scopes/model/contract.ts'
import { findInForce } from '../scopes/model/store.ts'
import type { QuestionId } from '../wire/ids.ts'

type Deps = { db: Db; clock: Clock; policies: Policies }

/** A repository as sessions of the last week and open questions name it. */
export type ListedRepository = {
  repoKey: string
  /** The agent that worked in it last. */
  agentName: string | undefined
  sessions: number
  waiting: number
  at: number
}

/** The repositories of the sessions of the last week: those with open questions, then the latest. */
export async function listRepositories(
  deps: Deps,
  workspaceId: WorkspaceId,
): Promise<ListedRepository[]> {
  const byKey = new Map<string, ListedRepository>()
  for (const { session, open } of await readSessions(deps, workspaceId)) {
    const { repoKey, agentName, lastSeenAt } = session
    if (repoKey === undefined) continue
    const repository = byKey.get(repoKey) ?? { repoKey, agentName, sessions: 0, waiting: 0, at: 0 }
    repository.sessions++
    repository.waiting += open.length
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
  /** The nearest deadline first. */
  open: Question[]
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

const OPEN_MAX = 1_000
const SCOPES_MAX = 50

/** Reads the page of a repository. Throws `malformed` for a cursor that is not one of its own. */
export async function readRepository(
  deps: Deps,
  of: { workspaceId: WorkspaceId; repoKey: string },
  cursor: string | undefined,
): Promise<Repository> {
  const { db, clock, policies } = deps
  const { workspaceId, repoKey } = of
  const from = idCursor({ cursor })
  const limit = limitOf({}, LIST_SIZE)
  const [sessions, waiting, { rules }, questions] = await Promise.all([
    readSessions(deps, workspaceId, repoKey),
    listOpenQuestions(db.read, workspaceId, clock.now(), OPEN_MAX),
    policies.of(workspaceId),
    readInSteps<Question>(limit + 1, (last, limit) => {
      const before = last?.id ?? (from === undefined ? undefined : (`q_${from}` as QuestionId))
      return listQuestions(db.read, workspaceId, { before, limit, repoKey })
    }),
  ])
  const page = pageOf(questions, limit, ({ id }) => idBody(id))
  return {
    sessions,
    open: waiting.filter((question) => question.repoKey === repoKey),
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
