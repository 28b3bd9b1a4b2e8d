import * as permits from '../../src/ask/permits/failures.ts'
import * as feeds from '../../src/catalog/feeds/failures.ts'
import { FAILURES, failureKind, type OwnFailure } from '../../src/platform/failure.ts'

/** Every failure of the product by its code: the shared ones and those of single features. */
export const FAILURE_KINDS: ReadonlyMap<string, OwnFailure> = new Map(
  [
    ...(Object.keys(FAILURES) as Array<keyof typeof FAILURES>),
    ...Object.values(permits),
    ...Object.values(feeds),
  ]
    .map(failureKind)
    .map((kind) => [kind.code, kind]),
)
