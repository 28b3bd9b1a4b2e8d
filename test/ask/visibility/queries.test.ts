import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'

const ROOT = join(import.meta.dir, '../../..')
/** Tables whose rows belong to a token, and are seen as what it asked is. */
const TABLES = ['questions', 'notifications', 'agentSessions', 'grants', 'lateAnswers']
/** What a query for people passes through; each comes from `isVisible`. */
const PREDICATES = /\b(isVisible|isShown|isOpen|seenSince)\(/

const BY_ID = 'one thing by its id: the guard hides the ids of what is not seen'
const FOR_AGENTS = 'for agents, of what they asked themselves'
const JOBS = 'for jobs and rules of the server, which show it to nobody'
const OWN = 'what the person themselves asked or answered'
const PART = 'a part of queries that have the condition'
const TRAIL = 'the trail leaves out what is not seen, row by row (unseen-entries.ts)'

/** Queries that need no viewer, by file and function. */
const WITHOUT_VIEWER: Record<string, string> = {
  'questions/model/store.ts readOne': BY_ID,
  'notifications/model/store.ts findNotification': BY_ID,
  'notifications/model/store.ts findNotificationUrl': BY_ID,
  'sessions/model/store.ts findSession': BY_ID,
  'grants/model/store.ts readGrant': BY_ID,
  'questions/model/proposal-store.ts findProposal': FOR_AGENTS,
  'questions/model/joined-store.ts findByJoinedKey': FOR_AGENTS,
  'questions/model/key-store.ts findByKey': FOR_AGENTS,
  'questions/model/key-store.ts listAnswered': FOR_AGENTS,
  'questions/model/key-store.ts listChecks': FOR_AGENTS,
  'questions/model/key-store.ts listDecidable': FOR_AGENTS,
  'questions/model/key-store.ts findOpen': FOR_AGENTS,
  'questions/model/own-store.ts listOwnQuestions': FOR_AGENTS,
  'questions/model/store.ts listAskedFrom': FOR_AGENTS,
  'sessions/model/store.ts findByKey': FOR_AGENTS,
  'notifications/model/store.ts findByKey': FOR_AGENTS,
  'notifications/model/store.ts findLastOfGroup': FOR_AGENTS,
  'grants/model/store.ts findGrant': FOR_AGENTS,
  'questions/model/ended-store.ts listEnded': JOBS,
  'questions/model/detail-store.ts readOne': JOBS,
  'questions/model/purge-store.ts listOldQuestions': JOBS,
  'questions/model/purge-store.ts listTokenQuestions': JOBS,
  'questions/model/purge-store.ts existingQuestions': JOBS,
  'questions/model/purge-store.ts countTokenQuestions': JOBS,
  'questions/model/held-answer-store.ts listDueAnswers': JOBS,
  'questions/model/store.ts listOverdue': JOBS,
  'questions/model/gone-store.ts listOpenOf': JOBS,
  'questions/model/cut-off-store.ts markCutOff': JOBS,
  'notifications/model/purge-store.ts listOldNotifications': JOBS,
  'notifications/model/purge-store.ts listTokenNotifications': JOBS,
  'notifications/model/purge-store.ts countTokenNotifications': JOBS,
  'notifications/model/store.ts listSessionNotifications': JOBS,
  'grants/model/store.ts hasOverdueGrants': JOBS,
  'questions/model/trail-store.ts listOpened': TRAIL,
  'questions/model/trail-store.ts listEnded': TRAIL,
  'questions/model/trail-store.ts listLate': TRAIL,
  'questions/model/trail-store.ts readTrailQuestions': TRAIL,
  'notifications/model/trail-store.ts listSent': TRAIL,
  'notifications/model/trail-store.ts readTrailNotifications': TRAIL,
  'questions/model/first-answer-store.ts hasAnswered': OWN,
  'questions/model/first-answer-store.ts findNewestOf': OWN,
  'questions/model/store.ts findLateAnswer': OWN,
  'sessions/model/store.ts latest': PART,
}

/** Every function with a query of these tables, with its text. */
function* queries() {
  for (const path of new Glob('src/ask/**/model/*.ts').scanSync(ROOT)) {
    const text = readFileSync(join(ROOT, path), 'utf8')
    for (const piece of text.split(/\n(?=(?:export )?(?:async )?(?:function|const) )/)) {
      const [, name = ''] = /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(piece) ?? []
      const about = TABLES.some((table) => new RegExp(`(from|[jJ]oin)\\(${table}\\b`).test(piece))
      if (about) yield { query: `${path.replace('src/ask/', '')} ${name}`, piece }
    }
  }
}

test('every query of what agents asked asks who looks, or says why not', () => {
  const all = [...queries()]
  const open = all.filter(({ piece }) => !PREDICATES.test(piece)).map(({ query }) => query)
  expect(open.filter((query) => !(query in WITHOUT_VIEWER))).toEqual([])
  expect(Object.keys(WITHOUT_VIEWER).filter((query) => !open.includes(query))).toEqual([])
  expect(all.length).toBeGreaterThan(40)
})

test('no page finds a thing by its id without asking who looks', () => {
  const paths = [...new Glob('src/ask/**/pages/*.{ts,tsx}').scanSync(ROOT)].filter((path) =>
    /\bfind(Question|QuestionById|Notification|Session)\(/.test(
      readFileSync(join(ROOT, path), 'utf8'),
    ),
  )
  expect(paths).toEqual([])
})
