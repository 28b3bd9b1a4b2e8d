import { wrongFields } from '../../platform/failure.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'

/**
 * Refuses an address that can never be called while the caller can still correct it. Throws
 * `invalid_input` for `field`.
 */
export function checkUrl(
  { refusal }: Pick<GuardedFetch, 'refusal'>,
  field: string,
  url: string | undefined,
): void {
  const refused = url === undefined ? undefined : refusal(url)
  if (!refused) return
  const why = refused.charAt(0).toLowerCase() + refused.slice(1).replace(/\.$/, '')
  const must = `cannot be called: ${why} (the server's owner allows hosts with BECKON_ALLOW_PRIVATE_HOSTS)`
  throw wrongFields([{ field, must }])
}
