/** @jsxImportSource preact */

import type { VNode } from 'preact'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { Qr } from '../../../platform/web/qr.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import type { PairingId } from '../../accounts/model/ids.ts'
import { Fingerprint } from '../../pages/fingerprint.tsx'
import { Layout } from '../../pages/layout.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { href, paths } from '../../pages/paths.ts'
import { Ago } from '../../pages/time.tsx'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import {
  type BegunPairing,
  beginPairing,
  cancelPairing,
  type Pairing,
  readPairing,
} from '../pair-device.ts'
import { isOnlyHere, whyNoPhone } from '../phone-reach.ts'

type Deps = { db: Db; clock: Clock; baseUrl: string }

/** `/settings/pair`: only the button, since viewing starts nothing. */
export function showConnectPhone(_deps: unknown, visit: SignedIn): Response {
  return page(
    visit,
    <section class="made ended">
      <p class="soft">A code to scan signs a phone in as you, without typing.</p>
      <NewCode words="Show the code" />
    </section>,
  )
}

/** "Connect a phone": starts a pairing and shows its code once. */
export async function connectPhone(deps: Deps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  const newPairing = await beginPairing(deps, visit.person)
  const pairing = await readPairing(deps, visit.person, newPairing.id)
  return pairingPage(deps, visit, pairing, newPairing)
}

/**
 * `/settings/pair/ID`: the state of a pairing. The page polls and says which state it shows
 * (`?seen=`); as long as nothing has changed the reply is empty.
 */
export async function showPairing(deps: Deps, visit: SignedIn): Promise<Response> {
  const pairing = await readPairing(deps, visit.person, visit.params.id as PairingId)
  if (visit.url.searchParams.get('seen') === versionOf(pairing)) {
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
  }
  return pairingPage(deps, visit, pairing)
}

/** Ends the pairing and signs out the devices that it signed in. */
export async function endPairing(deps: Deps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  const id = visit.params.id as PairingId
  await cancelPairing(deps, visit.person, id)
  return seeOther(href.pairing(id))
}

function versionOf({ state, devices }: Pairing): string {
  return `${state}-${devices.length}`
}

function pairingPage(deps: Deps, visit: SignedIn, pairing: Pairing, newPairing?: BegunPairing) {
  const { id, state } = pairing
  const going = state === 'waiting' || state === 'paired'
  return page(
    visit,
    <div
      id="pairing"
      {...(going
        ? {
            'hx-get': `${href.pairing(id)}?seen=${versionOf(pairing)}`,
            'hx-trigger': 'every 2s',
            'hx-select': '#pairing',
            'hx-swap': 'outerHTML',
          }
        : {})}
    >
      {state === 'waiting' && <Waiting deps={deps} pairing={pairing} code={newPairing?.code} />}
      {state === 'paired' && <Paired pairing={pairing} moment={visit.moment} />}
      {!going && <Over state={state} />}
    </div>,
  )
}

function page(visit: SignedIn, content: VNode): Response {
  return html(
    <Layout
      visit={visit}
      title="Connect a phone"
      section="settings"
      back={{ to: paths.devices, name: 'Back to the devices' }}
    >
      <div class="page-head">
        <h1>Connect a phone</h1>
      </div>
      {content}
    </Layout>,
  )
}

type WaitingProps = { deps: Deps; pairing: Pairing; code: string | undefined }

function Waiting({ deps, pairing, code }: WaitingProps) {
  const link = code && deps.baseUrl + href.pair(code)
  const noPhone = whyNoPhone(deps.baseUrl)
  return (
    <div class="scan">
      {link && !isOnlyHere(deps.baseUrl) && <Qr text={link} label="QR code of the pairing link" />}
      <div>
        <ol class="bullets numbered">
          <li>Point the phone’s camera at the code and open the link.</li>
          <li>Compare the digits, then tap “Yes, sign me in here”.</li>
        </ol>
        <Fingerprint digits={pairing.fingerprint} />
        <p class="status wait" role="status">
          <span class="pulse" />
          Waiting for the phone. The code works once, within 5 minutes.
        </p>
        {noPhone && (
          <p class="problem">
            <Icon name="warning" />
            <span>
              <SafeText text={noPhone} />
            </span>
          </p>
        )}
        {link && (
          <details class="by-hand">
            <summary>The link in text</summary>
            <pre class="code">{link}</pre>
          </details>
        )}
        <div class="thing-do">
          <a class="button" href={href.pairing(pairing.id)}>
            Has it paired?
          </a>
          <CancelForm id={pairing.id} words="Cancel" />
        </div>
      </div>
    </div>
  )
}

function Paired({ pairing, moment }: { pairing: Pairing; moment: Moment }) {
  return (
    <section class="made">
      <h2>
        <Icon name="check" />
        Paired
      </h2>
      <ul class="rows">
        {pairing.devices.map(({ name, app, at }) => (
          <li>
            <b>{name}</b>
            {app && ', from the home screen'} <Ago at={at} moment={moment} />
          </li>
        ))}
      </ul>
      <Fingerprint digits={pairing.fingerprint} />
      <p class="soft">
        The phone shows the same digits, and now asks whether questions may ring there.
      </p>
      <div class="thing-do">
        <a class="button primary" href={paths.devices}>
          All devices
        </a>
        <CancelForm id={pairing.id} words="That was not me: sign it out" />
      </div>
    </section>
  )
}

function Over({ state }: { state: Pairing['state'] }) {
  return (
    <section class="made ended">
      <h2>{state === 'expired' ? 'Nobody scanned the code in time' : 'The pairing was ended'}</h2>
      <p class="soft">
        {state === 'expired'
          ? 'A code is valid for 5 minutes, and this one has expired.'
          : 'Its code no longer works, and the devices that it signed in are signed out.'}
      </p>
      <NewCode words="Show a new code" />
    </section>
  )
}

function NewCode({ words }: { words: string }) {
  return (
    <form method="post" action={paths.beginPairing}>
      <button type="submit" class="primary">
        {words}
      </button>
    </form>
  )
}

function CancelForm({ id, words }: { id: PairingId; words: string }) {
  return (
    <form method="post" action={href.cancelPairing(id)}>
      <button type="submit" class="bad">
        {words}
      </button>
    </form>
  )
}
