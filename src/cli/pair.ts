import type { Person } from '../accounts/person.ts'
import { findPersonByEmail, listPeople } from '../accounts/person-store.ts'
import { readConfig } from '../config/config.ts'
import { WrongUsage } from '../config/wrong-usage.ts'
import { openDataFolder } from '../db/data-folder.ts'
import type { Read } from '../db/database.ts'
import { pairingUrl } from '../flows/addresses.ts'
import { beginPairing } from '../flows/pair-device.ts'
import { systemClock } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import { cleanLine } from '../kernel/text.ts'
import { DATA_OPTION, readArguments } from './arguments.ts'
import { EXIT } from './command.ts'
import { terminalQr } from './qr.ts'
import { isTerminal, note, noteDrawn, say } from './terminal.ts'

/**
 * `beckon pair`: the code of "Connect a phone" in the terminal. The link alone is standard output,
 * so that without a terminal there is no picture to get in the way.
 */
export async function pair(args: string[]): Promise<number> {
  const { data, email, ...flags } = readArguments(args, {
    ...DATA_OPTION,
    email: { type: 'string' },
    'base-url': { type: 'string' },
  })
  const { dataFolder, baseUrl } = readConfig({ data, ...flags })
  await using db = openDataFolder(dataFolder)
  const person = await who(db.read, email)
  const begun = await beginPairing({ db, clock: systemClock }, person)
  const { link, undo } = pairingUrl(baseUrl, begun)
  if (isTerminal()) noteDrawn(`${terminalQr(link)}\n`)
  say(link)
  note(`It signs one phone in as ${cleanLine(person.email)}, once, within 5 minutes.`)
  note(`The phone must show these digits: ${begun.fingerprint.replace(/^.{3}/, '$& ')}`)
  note(`To end it, and to sign out whom it signed in: ${undo}`)
  if (!baseUrl.startsWith('https:')) {
    note(`A phone rings only over https, and has to reach ${baseUrl}: see docs/phones.md.`)
  }
  return EXIT.done
}

/** The person of that address; without one, the only person there is. */
async function who(read: Read, email: string | undefined): Promise<Person> {
  if (email === undefined) {
    const people = await listPeople(read)
    const [only] = people
    if (!only) throw new Failure('not_found', 'Nobody can sign in yet; run beckon user add first.')
    if (people.every(({ id }) => id === only.id)) return only
    throw new WrongUsage('Say whose phone it is: --email is missing.')
  }
  const person = await findPersonByEmail(read, email.trim().toLowerCase())
  if (!person) throw new Failure('not_found', `Nobody signs in as ${cleanLine(email)}.`)
  return person
}
