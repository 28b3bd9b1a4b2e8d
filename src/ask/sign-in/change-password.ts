import { Failure, wrongFields } from '../../platform/failure.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Auth } from '../accounts/auth.ts'
import type { Person } from '../accounts/model/person.ts'
import { wrongPassword } from '../accounts/model/person-rules.ts'
import { PASSWORD_CHANGE, recordSignIn } from './sign-in-trail.ts'

/** The current password and the new one. */
export type PasswordChange = { currentPassword: string; newPassword: string }

type Deps = Parameters<typeof recordSignIn>[0] & {
  limits: Limits
  addressOf(request: Request): string
  better(): Promise<Auth>
}

/**
 * `POST /api/auth/change-password` for a form, counted and recorded in the same way. Every sign-in
 * of the person ends; the headers set the cookie of a new one. Throws `invalid_input` naming each
 * wrong field, `conflict` for somebody without a password, `rate_limited`.
 */
export async function changePassword(
  deps: Deps,
  request: Request,
  person: Person,
  { currentPassword, newPassword }: PasswordChange,
): Promise<Headers> {
  const from = deps.addressOf(request)
  await deps.limits.signIn.take(from)
  await deps.limits.account.take(person.email)
  const wrong = wrongPassword(newPassword, person)
  if (wrong.length > 0) throw wrongFields(wrong.map((of) => ({ ...of, field: 'newPassword' })))
  const auth = await deps.better()
  const body = { currentPassword, newPassword, revokeOtherSessions: true }
  const how = { headers: request.headers, returnHeaders: true } as const
  try {
    const { headers } = await auth.api.changePassword({ body, ...how })
    await recordSignIn(deps, { ...PASSWORD_CHANGE.done, who: person, from })
    return headers
  } catch (error) {
    const failure = REFUSALS[codeOf(error)]?.()
    if (failure?.code === 'invalid_input') {
      await recordSignIn(deps, { ...PASSWORD_CHANGE.refused, who: person, from })
    }
    throw failure ?? error
  }
}

/** better-auth's refusals, by its code. */
const REFUSALS: Record<string, () => Failure> = {
  INVALID_PASSWORD: () =>
    wrongFields([{ field: 'currentPassword', must: 'is not your current password' }]),
  CREDENTIAL_ACCOUNT_NOT_FOUND: () => new Failure('conflict', 'You have no password to change.'),
  UNAUTHORIZED: () =>
    new Failure(
      'unauthenticated',
      'Your sign-in has ended, so nothing was changed. Sign in again.',
    ),
}

function codeOf(error: unknown): string {
  const { body, status } = error as { body?: { code?: unknown }; status?: unknown }
  return String(body?.code ?? status)
}
