import { wrongFields } from '../../platform/failure.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'

/**
 * Refuses a `callbackUrl` that can never be reached while the caller can still do something about
 * it. Throws `invalid_input`.
 */
export function checkCallbackUrl(
  { refusal }: Pick<GuardedFetch, 'refusal'>,
  callbackUrl: string | undefined,
): void {
  const refused = callbackUrl === undefined ? undefined : refusal(callbackUrl)
  if (!refused) return
  const why = refused.charAt(0).toLowerCase() + refused.slice(1).replace(/\.$/, '')
  const must = `cannot be called: ${why} (the server's owner allows hosts with BECKON_ALLOW_PRIVATE_HOSTS)`
  throw wrongFields([{ field: 'callbackUrl', must }])
}
