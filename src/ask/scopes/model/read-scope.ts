import { type WrongField, wrongFields } from '../../../platform/failure.ts'
import { cleanLine, cleanText, cutText, isBlank, MUST_BE_SEEN } from '../../../platform/text.ts'
import type { ProposeScopeInput } from '../../wire/scope-fields.ts'
import type { Contract } from './contract.ts'
import { readGlobs } from './read-globs.ts'

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
export function readPaths(
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
  const shown = cutText(cleanLine(refused.glob), 200)
  return { field: `${list}[${refused.at}]`, must: `(${shown}) ${refused.why}` }
}
