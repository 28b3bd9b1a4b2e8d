import type { Person } from '../ask/accounts/model/person.ts'
import { findPersonByEmail, listPeople } from '../ask/accounts/model/person-store.ts'
import { pairingUrl } from '../ask/delivery/model/links.ts'
import { beginPairing } from '../ask/sign-in/pair-device.ts'
import { isOnlyHere, whyNoPhone } from '../ask/sign-in/phone-reach.ts'
import { systemClock } from '../platform/clock.ts'
import { EXIT } from '../platform/command.ts'
import type { Read } from '../platform/db/database.ts'
import { openKnownDatabase } from '../platform/db/open-database.ts'
import { addressForLinks } from '../platform/db/server-address.ts'
import { Failure, WrongUsage } from '../platform/failure.ts'
import { DATA_OPTION, readArguments } from '../platform/terminal/arguments.ts'
import { terminalQr } from '../platform/terminal/qr.ts'
import { isTerminal, note, noteDrawn, say } from '../platform/terminal/terminal.ts'
import { cleanLine } from '../platform/text.ts'
import { readConfig } from '../settings.ts'
import { refuseBesideService } from './service/beside-service.ts'

/**
 * `beckon pair`: shows the code of "Connect a phone" in the terminal. Only the link goes to
 * standard output, so that scripts get nothing else.
 */
export async function pair(args: string[]): Promise<number> {
  const { data, email, ...flags } = readArguments(args, {
    ...DATA_OPTION,
    email: { type: 'string' },
    'base-url': { type: 'string' },
  })
  const config = readConfig({ data, ...flags })
  await refuseBesideService(config)
  await using db = await openKnownDatabase(config)
  const { baseUrl, doubt } = addressForLinks(config, flags['base-url'])
  const person = await who(db.read, email)
  const pairing = await beginPairing({ db, clock: systemClock }, person)
  const { link, undo } = pairingUrl(baseUrl, pairing)
  if (isTerminal(1) && !isOnlyHere(baseUrl)) noteDrawn(`${terminalQr(link)}\n`)
  say(link)
  note(`It signs one phone in as ${cleanLine(person.email)}, once, within 5 minutes.`)
  note(`The phone must show these digits: ${pairing.fingerprint.replace(/^.{3}/, '$& ')}`)
  note(`To end it, and to sign out the devices that it signed in: ${undo}`)
  if (doubt) note(doubt)
  const noPhone = whyNoPhone(baseUrl)
  if (noPhone) note(noPhone)
  return EXIT.done
}

/** The person with that e-mail address; without one, the only person there is. */
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
