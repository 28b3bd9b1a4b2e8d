import { type Static, Type } from '@sinclair/typebox'
import { Failure, type WrongField, wrongFields } from '../../../platform/failure.ts'
import { shape } from '../../../platform/schema.ts'
import { cleanLine, cleanText, cutText, isBlank, MUST_BE_SEEN } from '../../../platform/text.ts'
import type { Contract } from '../../wire/contract.ts'
import type { ProposeScopeInput } from '../../wire/scope-fields.ts'
import { readGlobs } from './read-globs.ts'

// Edited lists were already expanded: more and longer globs than were sent.
const GLOBS_MAX = 512
const GLOB_MAX = 256

const globs = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: GLOB_MAX }), { maxItems: GLOBS_MAX }),
)

/** The paths as the person wants them; a list that is left out stays as proposed. */
export const EditedPaths = Type.Object(
  { allowedPaths: globs, offLimitsPaths: globs },
  { additionalProperties: false },
)
export type EditedPaths = Static<typeof EditedPaths>
const editedPaths = shape(EditedPaths)

/**
 * The contract as the person edited it, read like a proposal; undefined if nothing differs. Throws
 * `invalid_answer` naming each wrong glob: `contract.allowedPaths[2]`.
 */
export function editScope(proposed: Contract, edited: EditedPaths): Contract | undefined {
  const wrong = editedPaths.wrong(edited)
  if (wrong.length > 0) throw refuse(wrong)
  const paths = readEdited({
    allowedPaths: edited.allowedPaths ?? proposed.allowedPaths,
    offLimitsPaths: edited.offLimitsPaths ?? proposed.offLimitsPaths,
  })
  const { allowed, offLimits } = changesOf(proposed, paths)
  const changed = [allowed, offLimits].some(({ added, removed }) => added.length + removed.length)
  return changed ? { ...proposed, ...paths } : undefined
}

function readEdited(edited: Pick<Contract, 'allowedPaths' | 'offLimitsPaths'>) {
  try {
    return readPaths(edited)
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid_input') throw refuse(error.fields)
    throw error
  }
}

function refuse(wrong: WrongField[]): Failure {
  const fields = wrong.map(({ field, must }) => ({ field: `contract.${field}`, must }))
  const sentence = fields.map(({ field, must }) => `${field} ${must}`).join('; ')
  return new Failure('invalid_answer', `${sentence}.`, { fields })
}

type Changes = { added: string[]; removed: string[] }

/** The differences of each list, regardless of order. */
function changesOf(
  before: Pick<Contract, 'allowedPaths' | 'offLimitsPaths'>,
  after: Pick<Contract, 'allowedPaths' | 'offLimitsPaths'>,
): { allowed: Changes; offLimits: Changes } {
  const between = (old: string[], now: string[]) => ({
    added: now.filter((path) => !old.includes(path)),
    removed: old.filter((path) => !now.includes(path)),
  })
  return {
    allowed: between(before.allowedPaths, after.allowedPaths),
    offLimits: between(before.offLimitsPaths, after.offLimitsPaths),
  }
}

/** Returns a sentence for the agent that says how many paths the person changed; the contract has them. */
export function sayChanges(proposed: Contract, ratified: Contract): string {
  const { allowed, offLimits } = changesOf(proposed, ratified)
  const changes = [sayList('allowed', allowed), sayList('off limits', offLimits)].filter(Boolean)
  return `The person edited the paths before agreeing (${changes.join(', ')}): keep to contract.`
}

function sayList(list: string, { added, removed }: Changes): string | undefined {
  const parts = [added.length > 0 && `+${added.length}`, removed.length > 0 && `-${removed.length}`]
  const counts = parts.filter(Boolean).join(' ')
  return counts === '' ? undefined : `${list} ${counts}`
}

/**
 * The proposal as the contract that a person is asked to agree to, its paths expanded. Throws
 * `invalid_input` if `doneWhen` is empty after cleaning, or for a glob that cannot be a rule:
 * `offLimitsPaths[2]` names it.
 */
export function readProposedContract(input: ProposeScopeInput): Contract {
  const { allowedPaths, offLimitsPaths } = readPaths(input)
  if (isBlank(input.doneWhen)) throw wrongFields([{ field: 'doneWhen', must: MUST_BE_SEEN }])
  const promises = (input.promises ?? []).map(cleanLine).filter((text) => !isBlank(text))
  return {
    allowedPaths,
    offLimitsPaths,
    doneWhen: cleanText(input.doneWhen),
    ...(promises.length > 0 ? { promises } : {}),
  }
}

/**
 * Both lists of globs as they are enforced. Throws `invalid_input` as `readProposedContract` does.
 */
function readPaths(
  input: Partial<Pick<Contract, 'allowedPaths' | 'offLimitsPaths'>>,
): Pick<Contract, 'allowedPaths' | 'offLimitsPaths'> {
  const allowed = readGlobs(input.allowedPaths ?? [])
  const offLimits = readGlobs(input.offLimitsPaths ?? [])
  const wrong = [
    ...allowed.refused.map((refused) => wrongGlob('allowedPaths', refused)),
    ...offLimits.refused.map((refused) => wrongGlob('offLimitsPaths', refused)),
  ]
  if (wrong.length > 0) throw wrongFields(wrong)
  return { allowedPaths: allowed.paths, offLimitsPaths: offLimits.paths }
}

function wrongGlob(list: string, refused: { glob: string; at: number; why: string }): WrongField {
  const globText = cutText(cleanLine(refused.glob), 200)
  return { field: `${list}[${refused.at}]`, must: `(${globText}) ${refused.why}` }
}
