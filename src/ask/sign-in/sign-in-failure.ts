import { Failure } from '../../platform/failure.ts'

/** What whoever tried to sign in is told. */
export function signInFailure(error: unknown): unknown {
  const { statusCode } = error as { statusCode?: unknown }
  // One message for all cases: which half was wrong must not be revealed.
  if (statusCode !== 400 && statusCode !== 401) return ownFailure(error)
  return new Failure('unauthenticated', 'The e-mail address or the password is wrong.')
}

/** The failure of ours (a full disk, for example) inside an error of better-auth or Drizzle. */
export function ownFailure(error: unknown): unknown {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof Failure) return inner
  }
  return error
}
