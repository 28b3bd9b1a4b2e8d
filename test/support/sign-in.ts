import type { App } from '../../src/app.ts'
import { createAuth } from '../../src/ask/accounts/auth.ts'
import type { PersonId } from '../../src/ask/accounts/model/ids.ts'
import { dropInvitations } from '../../src/ask/accounts/model/invitation-store.ts'
import type { Person, Role } from '../../src/ask/accounts/model/person.ts'
import { hashPassword } from '../../src/ask/accounts/model/person-rules.ts'
import { putPassword } from '../../src/ask/accounts/model/person-store.ts'
import { setUndo } from '../../src/ask/accounts/model/undo-store.ts'
import { addPerson } from '../../src/ask/people/people.ts'
import type { Clock } from '../../src/platform/clock.ts'
import type { Db } from '../../src/platform/db/database.ts'
import { silentLog } from '../../src/platform/log.ts'
import { PASSWORD } from './auth-server.ts'

let hashed: Promise<string> | undefined

/** The hash of `PASSWORD`. It takes a seventh of a second, so one process makes it once. */
export function passwordHash(): Promise<string> {
  hashed ??= hashPassword(PASSWORD)
  return hashed
}

/**
 * Adds somebody as `addPerson` does, with `PASSWORD`. What they answer on pages is sent at once,
 * unless the test is about Undo.
 */
export async function addPersonWithPassword(
  deps: { db: Db; clock: Clock },
  { undo = false, ...who }: { email: string; name: string; role?: Role; undo?: boolean },
): Promise<Person> {
  const { person } = await addPerson(deps, who)
  await deps.db.write((tx) => setUndo(tx, person, undo))
  const [hash, now] = [await passwordHash(), deps.clock.now()]
  await deps.db.write(async (tx) => {
    await dropInvitations(tx, person.id)
    await putPassword(tx, { id: person.id, personId: person.id, hash }, now)
  })
  return person
}

/** What a browser would send back. */
export function cookieOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/**
 * The cookies of a new session, as better-auth makes it once a password was right. For tests that
 * need somebody who is signed in; checking a password takes a seventh of a second.
 */
export async function signInAs(
  { db, secrets, baseUrl }: Pick<App, 'db' | 'secrets' | 'baseUrl'>,
  personId: PersonId,
): Promise<string> {
  const auth = createAuth({
    orm: db.orm,
    secret: secrets.authSecret,
    baseUrl,
    log: silentLog,
    isOwn: () => true,
  })
  const { headers } = await auth.api.signInAs({ body: { personId }, returnHeaders: true })
  return cookieOf(headers)
}

/** Signs somebody in by password at a server that listens, and gives back the cookies. */
export async function signInAt(
  url: string,
  { email, password }: { email: string; password: string },
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email, password }),
  })
  if (!response.ok) throw new Error(`nobody was signed in: ${await response.text()}`)
  return cookieOf(response.headers)
}
