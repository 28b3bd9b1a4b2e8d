import { cleanLine, cleanText } from '../kernel/text.ts'
import type { Contract } from './contract.ts'
import { expandPaths } from './expand.ts'
import type { ProposeScopeInput } from './scope-fields.ts'

/** The proposal as the contract that a person is asked to agree to, its paths expanded. */
export function readContract(input: ProposeScopeInput): Contract {
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
