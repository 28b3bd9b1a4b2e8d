/** @jsxImportSource preact */
import type { ComponentChild } from 'preact'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { formField, readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { Pager, pagesOf } from '../../../platform/web/page-parts.tsx'
import { seeOther } from '../../../platform/web/respond.ts'
import { href, paths } from '../../pages/paths.ts'
import { Ago } from '../../pages/time.tsx'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import type { Authentication } from '../authentication.ts'
import { countOwnSignIns, readOwnSignIns, type ShownSignIn } from '../sign-ins.ts'

export type SignInDeps = {
  db: Db
  clock: Clock
  authentication: Pick<Authentication, 'signInFrom' | 'endSignIn' | 'signOutElsewhere'>
}

const UNKNOWN = 'Unknown browser'

// Each row has its own form, so more would make the page too heavy for a slow connection.
const ROWS = 24

/** Where the person is signed in, with a way to end each. */
export async function readSignInsPart(deps: SignInDeps, visit: SignedIn): Promise<ComponentChild> {
  const own = (await deps.authentication.signInFrom(visit.request))?.id
  const total = await countOwnSignIns(deps, visit.person)
  const at = pagesOf(total, ROWS, visit.url)
  const part = { own, offset: at.offset, limit: ROWS }
  const signIns = await readOwnSignIns(deps, visit.person, part)
  return (
    <section class="part sign-ins">
      <h2>Where you are signed in</h2>
      <p>Whoever holds one of these reads and answers as you. Sign out what you do not know.</p>
      <ul class="things">
        {signIns.map((signIn) => (
          <SignInCard signIn={signIn} isThis={signIn.id === own} moment={visit.moment} />
        ))}
      </ul>
      <Pager at={at} path={paths.passkeys} />
      {total > 1 && <SignOutOthers />}
      <p class="soft">
        If somebody else was signed in, look also at what was{' '}
        <a href={paths.allowed}>allowed for a while</a> and at the{' '}
        <a href={paths.tokens}>agent tokens</a>: these stay.
      </p>
    </section>
  )
}

type CardProps = { signIn: ShownSignIn; isThis: boolean; moment: Moment }

function SignInCard({ signIn, isThis, moment }: CardProps) {
  const { name, devices, createdAt, updatedAt, pairedAt } = signIn
  return (
    <li class="thing">
      <div>
        <p class="thing-name">
          <b>{name ?? UNKNOWN}</b> {isThis && <span class="chip">this one</span>}
        </p>
        <ul class="device-facts">
          <li>
            {isThis ? 'In use now' : 'Last used '}
            {!isThis && <Ago at={updatedAt.getTime()} moment={moment} />}
          </li>
          <li>
            Signed in <Ago at={createdAt.getTime()} moment={moment} />
            {pairedAt && ', by scanning a code'}
          </li>
          {devices.map((device) => (
            <li>
              Rings as{' '}
              <a href={`${paths.devices}?at=${device.id}#device-${device.id}`}>{device.label}</a>
            </li>
          ))}
        </ul>
      </div>
      {!isThis && <SignOut signIn={signIn} />}
    </li>
  )
}

function SignOut({ signIn: { id, name, devices } }: Pick<CardProps, 'signIn'>) {
  const labels = devices.map(({ label }) => `“${label}”`).join(', ')
  return (
    <div class="thing-do">
      <details class="removing">
        <summary aria-label={`Sign out ${name ?? UNKNOWN}`}>Sign out</summary>
        <form method="post" action={href.endSignIn(id)}>
          <p>Its pages stop at once. It can sign in again only with your passkey or password.</p>
          {devices.length > 0 && (
            <label class="also">
              <input type="checkbox" name="devices" value="remove" checked />
              <span>
                Remove {labels} too: otherwise it goes on ringing, and Yes and No in its
                notifications go on answering.
              </span>
            </label>
          )}
          <button type="submit" class="small bad">
            Sign it out
          </button>
        </form>
      </details>
    </div>
  )
}

function SignOutOthers() {
  return (
    <form method="post" action={paths.signOutElsewhere}>
      <label class="also">
        <input type="checkbox" name="devices" value="remove" />
        <span>Remove their devices too: nothing rings there, and no notification answers.</span>
      </label>
      <button type="submit">
        <Icon name="leave" />
        Sign out all others
      </button>
    </form>
  )
}

/** Ends one sign-in of the person. */
export async function submitEndSignIn(deps: SignInDeps, visit: SignedIn): Promise<Response> {
  const withDevices = await readWithDevices(visit)
  const of = { id: visit.params.id ?? '', withDevices }
  await deps.authentication.endSignIn(visit.request, visit.person, of)
  return seeOther(`${paths.passkeys}?out`)
}

/** Ends the person's sign-ins in every other browser. */
export async function submitSignOutElsewhere(deps: SignInDeps, visit: SignedIn): Promise<Response> {
  const withDevices = await readWithDevices(visit)
  await deps.authentication.signOutElsewhere(visit.request, visit.person, { withDevices })
  return seeOther(`${paths.passkeys}?ended`)
}

async function readWithDevices({ request }: SignedIn): Promise<boolean> {
  return formField(await readForm(request), 'devices') === 'remove'
}
