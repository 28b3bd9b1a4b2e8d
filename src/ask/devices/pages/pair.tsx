/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Failure } from '../../../platform/failure.ts'
import { readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { Fingerprint } from '../../pages/fingerprint.tsx'
import { Layout } from '../../pages/layout.tsx'
import { href, paths } from '../../pages/paths.ts'
import type { Visit } from '../../pages/visit.ts'
import type { Authentication } from '../../sign-in/authentication.ts'
import { type PairingOffer, readPairingOffer } from '../../sign-in/pair-device.ts'
import { thisDevicePage } from './this-device.tsx'

type Deps = {
  db: Db
  clock: Clock
  baseUrl: string
  vapidPublicKey: string
  authentication: Pick<Authentication, 'pair'>
}

/**
 * `/pair/CODE`: whom this link signs in, and a button. Viewing does not use the link up. An
 * installed app always starts here, so a used link leads a signed-in person to the home page.
 */
export async function showPair(deps: Deps, visit: Visit): Promise<Response> {
  const code = visit.params.code ?? ''
  const offer = await readPairingOffer(deps, code)
  const { person } = visit
  if (!offer) return person ? seeOther(paths.home) : spentPage(visit)
  if (offer.step === 'app' && person?.id === offer.person.id) {
    return thisDevicePage(deps, { ...visit, person }, code)
  }
  return offerPage(visit, code, { ...offer, host: new URL(deps.baseUrl).host })
}

/** Signs this device in. */
export async function submitPairing(deps: Deps, visit: Visit): Promise<Response> {
  await readForm(visit.request)
  try {
    const { code = '' } = visit.params
    const { headers, appCode } = await deps.authentication.pair(visit.request, code)
    return seeOther(appCode ? href.pair(appCode) : paths.thisDevice, headers)
  } catch (error) {
    if (error instanceof Failure && error.code === 'gone') return spentPage(visit)
    throw error
  }
}

type Offered = PairingOffer & { host: string }

function offerPage(visit: Visit, code: string, { person, fingerprint, step, host }: Offered) {
  const other = visit.person && visit.person.id !== person.id ? visit.person : undefined
  return html(
    <Layout
      visit={{ ...visit, person: undefined, open: 0 }}
      title="Sign in here"
      kind="alone"
      manifest={href.manifestOf(code)}
    >
      <div class="door pairing">
        <h1>{step === 'app' ? 'One more tap' : 'Sign in on this phone'}</h1>
        <p class="sub">
          As <b>{person.name}</b>, {person.email}, at {host}.
        </p>
        <div class="compare">
          <p class="soft">These digits must be on your other screen too:</p>
          <Fingerprint digits={fingerprint} />
        </div>
        {other && (
          <p class="too-late">
            <Icon name="warning" />
            <span>This browser is signed in as {other.name}. That ends here.</span>
          </p>
        )}
        <form method="post" action={href.pair(code)} data-once>
          <button type="submit" class="big primary">
            Yes, sign me in here
          </button>
        </form>
        <p class="aside">
          Different digits, or you did not begin this? Close the page; nothing has happened.
        </p>
      </div>
    </Layout>,
  )
}

function spentPage(visit: Visit): Response {
  return html(
    <Layout visit={{ ...visit, person: undefined, open: 0 }} title="Link used up" kind="alone">
      <div class="lonely">
        <h1>This link is used up</h1>
        <p>
          A pairing link signs one phone in, once, within 5 minutes. This one was used, has expired
          or was cancelled, and nobody was signed in by it now.
        </p>
        <p>
          On a screen where you are signed in, open Settings, Devices, “Connect a phone” and scan
          the new code.
        </p>
        <p>
          <a class="button" href={paths.signIn}>
            Sign in another way
          </a>
        </p>
      </div>
    </Layout>,
    410,
  )
}
