import { wrongFields } from '../kernel/failure.ts'
import { cleanLine, cleanText, isBlank } from '../kernel/text.ts'
import type { Contract } from './contract.ts'
import { expandPaths } from './expand.ts'
import type { ProposeScopeInput } from './scope-fields.ts'

/**
 * The proposal as the contract that a person is asked to agree to, its paths expanded. Throws
 * `invalid_input` when nothing is left to see of what finished means.
 */
export function readContract(input: ProposeScopeInput): Contract {
  if (isBlank(input.doneWhen)) throw wrongFields([{ field: 'doneWhen', must: 'must not be empty' }])
  const promises = (input.promises ?? []).map(cleanLine).filter(Boolean)
  return {
    allowedPaths: expandPaths(clean(input.allowedPaths)),
    offLimitsPaths: expandPaths(clean(input.offLimitsPaths)),
    doneWhen: cleanText(input.doneWhen),
    ...(promises.length > 0 ? { promises } : {}),
  }
}

function clean(paths: string[] = []): string[] {
  return paths.map(cleanLine).filter(Boolean)
}
