/** @jsxImportSource preact */
import { Elysia } from 'elysia'
import { Failure } from '../../../platform/failure.ts'
import { seeOther } from '../../../platform/web/respond.ts'
import { type Capability, must } from '../../accounts/may.ts'
import { saveOwnPassword, showOwnPassword } from '../../accounts/pages/own-password.tsx'
import { pair, showPair } from '../../accounts/pages/pair.tsx'
import {
  connectPhone,
  endPairing,
  showConnectPhone,
  showPairing,
} from '../../accounts/pages/pairing.tsx'
import { saveRole, showPeople } from '../../accounts/pages/people.tsx'
import { setUp, showSetup } from '../../accounts/pages/setup.tsx'
import { showSignIn, signIn, signOut } from '../../accounts/pages/sign-in.tsx'
import { createToken, emptyToken, revokeToken, showTokens } from '../../accounts/pages/tokens.tsx'
import { showActivity } from '../../audit/pages/activity.tsx'
import {
  redeliver,
  rotateSecret,
  showCallbackSecret,
  showCallbacks,
} from '../../callbacks/pages/callbacks.tsx'
import {
  addSlackChannel,
  removeSlackApp,
  saveSlackApp,
  showSlack,
} from '../../delivery/channels/slack/pages/slack.tsx'
import {
  connectDevice,
  editDevice,
  formsOf,
  removeDevice,
  showDevices,
  testDevice,
} from '../../devices/pages/devices.tsx'
import { saveOwnSwitches, showOwnSwitches } from '../../devices/pages/own-switches.tsx'
import { showThisDevice } from '../../devices/pages/this-device.tsx'
import { showHealth } from '../../health/pages/health.tsx'
import { showLeaving } from '../../notifications/pages/leaving.tsx'
import { showNotification } from '../../notifications/pages/notification.tsx'
import { asset, serveAsset, serveWorker } from '../../pages/assets.ts'
import { notFound, showFailure } from '../../pages/error-page.tsx'
import { manifest } from '../../pages/manifest.ts'
import { showOffline } from '../../pages/offline.tsx'
import type { PageDeps } from '../../pages/page-deps.ts'
import { href, paths, questionPage, wayBack } from '../../pages/paths.ts'
import { readVisit, type SignedIn, type Visit } from '../../pages/visit.ts'
import { savePolicy, showPolicy } from '../../policy/pages/policy.tsx'
import { saveNewRule, saveRule, showNewRule, showRule } from '../../policy/pages/rule.tsx'
import { removeRule, showRules } from '../../policy/pages/rules.tsx'
import { postAnswerLink, showAnswerLink } from '../../questions/pages/answer-link.tsx'
import { answerForm, showDecide, showEdited, stopForm } from '../../questions/pages/decide.tsx'
import { showInbox } from '../../questions/pages/inbox.tsx'
import { countInbox } from '../../questions/read-questions.ts'
import { showSessions } from '../../sessions/pages/sessions.tsx'
import { showHome } from './home.tsx'
import { resume, showLive } from './live.tsx'
import { setTheme, showSettings } from './settings.tsx'

type Context = { request: Request; params: Record<string, string> }
type Show<V> = (deps: PageDeps, visit: V) => Promise<Response> | Response

/** Every page for people, as one part of the server. */
export function pageRoutes(deps: PageDeps) {
  const open = (show: Show<Visit>) => (context: Context) => visitAnyone(deps, context, show)
  const own = (show: Show<SignedIn>, needs?: Capability) => (context: Context) =>
    visitSignedIn(deps, context, (_, visit) => {
      if (needs) must(visit.person, needs)
      return show(deps, visit)
    })
  const raw = { parse: 'none' } as const
  const forms = new Elysia()
  for (const form of formsOf(deps.channels)) {
    forms.get(form.path, () => seeOther(paths.devices))
    forms.post(
      form.path,
      own((_, visit) => connectDevice(deps, visit, form)),
      raw,
    )
  }
  return new Elysia({ name: 'pages' })
    .use(forms)
    .get(paths.home, own(showHome))
    .get(paths.inbox, own(showInbox))
    .get(paths.decide, own(showDecide))
    .get(paths.answer, ({ params }) => seeOther(`/d/${encodeURIComponent(params.id)}`))
    .get(paths.stop, ({ params }) => seeOther(`/d/${encodeURIComponent(params.id)}`))
    .get(paths.editScope, ({ params }) => seeOther(`/d/${encodeURIComponent(params.id)}`))
    .post(paths.answer, own(answerForm), raw)
    .post(paths.editScope, own(showEdited), raw)
    .post(paths.stop, own(stopForm), raw)
    .get(paths.answerLink, (context) => showAnswerLink(deps, context))
    .post(paths.answerLink, (context) => postAnswerLink(deps, context), raw)
    .get(paths.notification, own(showNotification))
    .get(paths.leaving, open(showLeaving))
    .get(paths.activity, own(showActivity))
    .get(paths.sessions, own(showSessions))
    .get(paths.live, own(showLive))
    .get(paths.resume, ({ params }) => seeOther(`/live/${encodeURIComponent(params.id)}`))
    .post(paths.resume, own(resume), raw)
    .get(paths.settings, own(showSettings))
    .post(paths.theme, open(setTheme), raw)
    .get(paths.tokens, own(showTokens))
    .post(paths.tokens, own(createToken), raw)
    .post(paths.revokeToken, own(revokeToken), raw)
    .post(paths.emptyToken, own(emptyToken), raw)
    .get(paths.devices, own(showDevices))
    .post(paths.changeDevice, own(editDevice), raw)
    .post(paths.testDevice, own(testDevice), raw)
    .post(paths.removeDevice, own(removeDevice), raw)
    .get(paths.people, own(showPeople))
    .get(paths.personRole, () => seeOther(paths.people))
    .post(paths.personRole, own(saveRole, 'people'), raw)
    .get(paths.policy, own(showPolicy))
    .post(paths.policy, own(savePolicy, 'policy'), raw)
    .get(paths.rules, own(showRules))
    .get(paths.newRule, own(showNewRule, 'policy'))
    .post(paths.newRule, own(saveNewRule, 'policy'), raw)
    .get(paths.rule, own(showRule, 'policy'))
    .post(paths.rule, own(saveRule, 'policy'), raw)
    .get(paths.removeRule, () => seeOther(paths.rules))
    .post(paths.removeRule, own(removeRule, 'policy'), raw)
    .get(paths.ownSwitches, own(showOwnSwitches))
    .post(paths.ownSwitches, own(saveOwnSwitches), raw)
    .get(paths.ownPassword, own(showOwnPassword))
    .post(paths.ownPassword, own(saveOwnPassword), raw)
    .get(paths.slack, own(showSlack, 'slack'))
    .post(paths.slack, own(saveSlackApp, 'slack'), raw)
    .get(paths.slackChannels, () => seeOther(paths.slack))
    .post(paths.slackChannels, own(addSlackChannel, 'slack'), raw)
    .get(paths.forgetSlack, () => seeOther(paths.slack))
    .post(paths.forgetSlack, own(removeSlackApp, 'slack'), raw)
    .get(paths.health, own(showHealth, 'health'))
    .get(paths.thisDevice, own(showThisDevice))
    .get(paths.beginPairing, own(showConnectPhone))
    .post(paths.beginPairing, own(connectPhone), raw)
    .get(paths.pairing, own(showPairing))
    .get(paths.cancelPairing, ({ params }) =>
      seeOther(`/settings/pair/${encodeURIComponent(params.id)}`),
    )
    .post(paths.cancelPairing, own(endPairing), raw)
    .get(paths.pair, open(showPair))
    .post(paths.pair, open(pair), raw)
    .get(paths.callbacks, own(showCallbacks, 'callbacks'))
    .get(paths.callbackSecret, () => seeOther(paths.callbacks))
    .get(paths.rotateCallbackSecret, () => seeOther(paths.callbacks))
    .post(paths.callbackSecret, own(showCallbackSecret, 'callbacks'), raw)
    .post(paths.rotateCallbackSecret, own(rotateSecret, 'callbacks'), raw)
    .post(paths.redeliver, own(redeliver, 'callbacks'), raw)
    .get(paths.signIn, open(showSignIn))
    .post(paths.signIn, open(signIn), raw)
    .post(paths.signOut, open(signOut), raw)
    .get(paths.setup, open(showSetup))
    .post(paths.setup, open(setUp), raw)
    .get(paths.offline, open(showOffline))
    .get(paths.manifest, ({ request }) => manifest(new URL(request.url)))
    .get(paths.serviceWorker, () => serveWorker())
    .get(paths.favicon, () => seeOther(asset('icon.svg')))
    .get(paths.asset, ({ params, request }) => serveFile(params.file, request))
}

async function visitAnyone(deps: PageDeps, context: Context, show: Show<Visit>) {
  guardForm(deps, context.request)
  return show(deps, await enter(deps, context))
}

function visitSignedIn(deps: PageDeps, context: Context, show: Show<SignedIn>) {
  return visitAnyone(deps, context, (_, visit) => {
    const { person, url, request } = visit
    if (person) return show(deps, { ...visit, person })
    const back = request.method === 'GET' ? wayBack(url) : questionPage(url)
    return seeOther(href.signIn(back))
  })
}

async function enter(deps: PageDeps, { request, params }: Context): Promise<Visit> {
  const person = await deps.authentication.personFrom(request)
  const open = person ? await countInbox(deps, person.workspaceId) : 0
  const visit = readVisit(request, params, deps.clock.now(), person, open)
  return { ...visit, vapidKey: deps.vapidPublicKey, catalog: deps.catalog() }
}

/** How a failure outside the API looks; said to a stranger when even the session cannot be read. */
export function errorPage(deps: PageDeps) {
  return async (failure: Failure, request: Request): Promise<Response> => {
    const stranger = readVisit(request, {}, deps.clock.now(), undefined, 0)
    const visit = await enter(deps, { request, params: {} }).catch(() => stranger)
    return showFailure(failure, visit)
  }
}

/** A form of another site must not act in somebody's name. */
function guardForm(deps: PageDeps, request: Request) {
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (reads || deps.authentication.sameOrigin(request)) return
  throw new Failure(
    'forbidden',
    'This form came from another site, so nothing was done. Open the page here and try again.',
  )
}

function serveFile(file: string, request: Request): Response {
  const found = serveAsset(file, request.headers.get('accept-encoding'))
  if (!found) throw notFound()
  return found
}
