import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Failure } from '../../../platform/failure.ts'
import type { Question } from '../../questions/model/question.ts'
import { readScopeFacts } from '../../questions/model/scope-facts.ts'
import type { Ratified } from '../../scopes/model/contract.ts'
import { gapsOf } from '../../scopes/model/hook.ts'
import { opensOf } from '../../scopes/model/opens.ts'
import { editScope } from '../../scopes/model/read-scope.ts'
import { sortExamples } from '../../scopes/model/widen.ts'
import type { Contract } from '../../wire/contract.ts'
import { nearPaths } from '../../wire/examples.ts'
import { pathsOf, type ScopeDraft, sayWrongPaths } from './scope-form.ts'
import type { ScopeOpens, ScopeSight } from './scope-paths.tsx'

type Deps = { db: Db; clock: Clock }

type ScopeView = { sight?: ScopeSight; ratified?: Ratified | undefined; opens?: ScopeOpens }

/**
 * Reads the view of a scope question: while it is `open`, what the paths match (as `proposed`, or
 * edited); afterwards the agreed contract. Nothing for other questions.
 */
export async function readScopeView(
  { db, clock }: Deps,
  question: Question,
  open: ScopeDraft | 'proposed' | undefined,
): Promise<ScopeView> {
  const facts = await readScopeFacts(db.read, question, clock.now())
  const { contract } = question.detail
  if (!facts || !contract) return {}
  if (!open) return { ratified: facts.ratified }
  const [hook] = facts.hooks
  const paths = facts.hooks.find(({ examplePaths }) => examplePaths.length > 0)?.examplePaths
  const read = open === 'proposed' ? contract : readEdited(contract, open)
  if (typeof read === 'string') return { sight: { kind: 'wrong', problem: read } }
  const gaps = gapsOf(facts.hooks)
  const opens = { ...opensOf(read), isHookHere: hook !== undefined, gaps }
  const near = sortExamples(read, pathsNear(read))
  if (!hook) return { opens, sight: { kind: 'no_hook', near } }
  if (!paths) return { opens, sight: { kind: 'no_paths', near } }
  return { opens, sight: { kind: 'examples', examples: sortExamples(read, paths), near } }
}

// More patterns than these have examples enough.
const PATTERNS_MAX = 4

/** Paths that nobody has, which show where the patterns of a contract end. */
function pathsNear({ allowedPaths, offLimitsPaths }: Contract): string[] {
  const patterns = [
    ...offLimitsPaths.slice(0, PATTERNS_MAX),
    ...allowedPaths.slice(0, PATTERNS_MAX),
  ]
  return [...new Set(patterns.flatMap(nearPaths))]
}

/** The contract with the edited lists, or what is wrong with them. */
function readEdited(contract: Contract, draft: ScopeDraft): Contract | string {
  try {
    return editScope(contract, pathsOf(draft)) ?? contract
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid_answer')
      return sayWrongPaths(error) ?? error.message
    throw error
  }
}
