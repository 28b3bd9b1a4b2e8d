import { Failure } from '../../platform/failure.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import type { Person } from '../accounts/model/person.ts'
import { connect, makeStamps } from './admit.ts'
import type { SignInFlow } from './model/flow.ts'
import { findFlow, takeFlow } from './model/flow-store.ts'
import type { SignInWithDeps } from './sign-in-with.ts'

type Deps = Pick<SignInWithDeps, 'db' | 'clock' | 'authentication' | 'config'>
type Code = { code: string; browser: string }

/** The account that waits for its person, in the browser that brought it. Throws `gone`. */
export async function readWaitingAccount(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { code, browser }: Code,
): Promise<SignInFlow> {
  const key = { hash: sha256(code), browserHash: sha256(browser) }
  const flow = await findFlow(db.read, key, clock.now())
  if (flow?.purpose === 'confirm') return flow
  throw spent()
}

/**
 * Connects the account to the signed-in person, if it may be theirs, and they signed in without the
 * provider after it came. Throws `gone`, `forbidden` and `conflict`.
 */
export async function confirmAccount(
  deps: Deps,
  request: Request,
  person: Person,
  { code, browser }: Code,
  requireProvider: (id: string) => Promise<Parameters<typeof connect>[1]['provider']>,
): Promise<string> {
  const { db, clock } = deps
  const waiting = await readWaitingAccount(deps, { code, browser })
  const signIn = await deps.authentication.signInFrom(request)
  if (waiting.personId !== person.id) throw notTheirs()
  if (!signIn || signIn.provider !== null || signIn.createdAt < waiting.createdAt) throw notNow()
  const provider = await requireProvider(waiting.provider)
  const now = clock.now()
  const stamps = makeStamps(provider, now)
  await db.write(async (tx) => {
    const key = { hash: sha256(code), browserHash: sha256(browser), provider: provider.id }
    const flow = await takeFlow(tx, key, now)
    if (!flow?.arrival) throw spent()
    const isNew = await connect(tx, { provider, arrival: flow.arrival, person }, stamps)
    if (!isNew) throw new Failure('conflict', 'This account is connected to somebody already.')
  })
  return waiting.next
}

function spent(): Failure {
  return new Failure(
    'gone',
    'This took longer than ten minutes, or was begun in another browser. Nothing was connected. Begin again.',
  )
}

function notTheirs(): Failure {
  return new Failure(
    'forbidden',
    'You are signed in as somebody else than this account is for, so nothing was connected.',
  )
}

function notNow(): Failure {
  return new Failure(
    'forbidden',
    'Sign in once more with your password or passkey, so that it is certain that this is you. Nothing was connected.',
  )
}
