import { createHash } from 'node:crypto'
import type { ReviewerKey } from '../records/reviewer-key.ts'
import type { Filed } from './folder.ts'
import { found } from './found.ts'
import type { Tell } from './tell.ts'

/** Each key once, and under its own thumbprint (RFC 7638). */
export function checkKeys({ parsed, value }: Filed<ReviewerKey[]>, tell: Tell): void {
  const seen = new Set<string>()
  for (const [i, { kid, jwk, since, until }] of value.entries()) {
    const { crv, kty, x } = jwk
    const own = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')
    if (kid !== own) tell(parsed, `/${i}/kid`, `${own}, the thumbprint of the key`, found(kid))
    if (seen.has(kid)) tell(parsed, `/${i}/kid`, 'each key once', found(kid))
    if (until !== undefined && until < since) {
      tell(parsed, `/${i}/until`, `a day from ${since} on`, found(until))
    }
    seen.add(kid)
  }
}
