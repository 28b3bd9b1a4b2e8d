import type { Db } from '../../platform/db/database.ts'
import type { Person, Role } from '../accounts/model/person.ts'
import { findSignedIn, type SignedIn } from '../accounts/model/person-store.ts'
import { signedToken } from '../accounts/model/sign-in.ts'
import { endSignInWith } from '../accounts/model/sign-in-store.ts'
import { type CompanyAccess, localRefusal, SWITCHED_OFF } from './company-access.ts'

type Deps = { db: Db; company: CompanyAccess; signing: { prefix: string; secret: string } }

/** Who may come in without a provider, and how long a provider's proof holds. */
export function createEntry({ db, company, signing }: Deps) {
  /** The token of the sign-in whose cookie these headers set. */
  function tokenIn(headers: Headers): string | undefined {
    const set = headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    return signedToken(set.join('; '), signing)
  }

  async function refuse(role: Role | undefined) {
    const local = await company.localSignIn()
    if (local === 'everybody' || (local === 'owners' && role === 'owner')) return
    throw localRefusal(local, await company.ways())
  }

  return {
    tokenIn,
    /** The person while what proved the sign-in holds, or is excused. */
    async provenPerson(signedIn: SignedIn, now: number): Promise<Person | undefined> {
      const { provider, provenUntil } = signedIn
      const signedInAt = signInTime(signedIn)
      const person = { ...signedIn.person, ...(signedInAt !== undefined && { signedInAt }) }
      if (provider === null || provenUntil === null || provenUntil.getTime() > now) return person
      const isExcused = await company.isExcused({ provider, until: provenUntil.getTime() })
      return isExcused ? { ...person, isUnproven: true } : undefined
    },
    /** Throws `forbidden` if nobody signs in with a password or a passkey. */
    refuseLocal: () => refuse('owner'),
    /** `role` is that of somebody whom a person invited; undefined for a link made on the server. */
    async refuseInvited(role: Role | undefined): Promise<void> {
      if (role !== undefined) await refuse(role)
    },
    /** Asked only after the password was right, so that nothing is revealed to others. */
    async refuseEntry(headers: Headers): Promise<void> {
      const token = tokenIn(headers)
      if (!token) return
      const signedIn = await findSignedIn(db.read, token)
      try {
        if (!signedIn) throw SWITCHED_OFF
        await refuse(signedIn.person.role)
      } catch (error) {
        await db.write((tx) => endSignInWith(tx, token))
        throw error
      }
    },
  }
}

/** When the person proved themselves: a code that a phone scanned proves nobody. */
function signInTime({ provider, provenAt, pairedAt, createdAt }: SignedIn): number | undefined {
  if (provider !== null) return provenAt?.getTime()
  return pairedAt === null ? createdAt.getTime() : undefined
}
