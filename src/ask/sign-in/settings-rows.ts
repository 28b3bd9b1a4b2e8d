import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { listPasskeys } from '../accounts/model/passkey-store.ts'
import { hasPassword } from '../accounts/model/person-store.ts'
import { paths } from '../pages/paths.ts'
import { countWords, type SettingsRow } from '../settings-row.ts'
import { countOwnSignIns } from './sign-ins.ts'

/** The ways in which a person signs in, and where they are signed in. */
export function signInRows(deps: { db: Db; clock: Clock }): SettingsRow[] {
  return [
    {
      group: 'you',
      to: paths.passkeys,
      icon: 'key',
      name: 'Passkeys and sign-ins',
      async state({ person }) {
        const [signIns, passkeys] = await Promise.all([
          countOwnSignIns(deps, person),
          listPasskeys(deps.db.read, person.id),
        ])
        const ways = countWords(passkeys.length, 'passkey', 'no passkey')
        return { words: `${countWords(signIns, 'sign-in', '')}, ${ways}` }
      },
    },
    {
      group: 'you',
      to: paths.ownPassword,
      icon: 'person',
      name: 'Password',
      async state({ person }) {
        const has = await hasPassword(deps.db.read, person.id)
        return { words: has ? 'Set' : 'None: you sign in without one' }
      },
    },
  ]
}
