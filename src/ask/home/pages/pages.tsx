/** @jsxImportSource preact */
import { Failure } from '../../../platform/failure.ts'
import { mount } from '../../../platform/http/mount.ts'
import { seeOther } from '../../../platform/web/respond.ts'
import { type Capability, must } from '../../accounts/model/may.ts'
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
type Method = 'GET' | 'POST'
type Show<V> = (deps: PageDeps, visit: V) => Promise<Response> | Response

/** An address for people: `guard` finds out who comes, or the way to sign in. */
type PageRoute = {
  method: Method
  path: string
  guard?(deps: PageDeps, context: Context): Promise<unknown>
  answer(deps: PageDeps, context: Context, who: unknown): Promise<Response> | Response
}

/** Every page and form but the forms by which a channel connects a device. */
const PAGES: readonly PageRoute[] = [
  own('GET', paths.home, showHome),
  own('GET', paths.inbox, showInbox),
  own('GET', paths.decide, showDecide),
  leads(paths.answer, (id) => `/d/${id}`),
  leads(paths.stop, (id) => `/d/${id}`),
  leads(paths.editScope, (id) => `/d/${id}`),
  own('POST', paths.answer, answerForm),
  own('POST', paths.editScope, showEdited),
  own('POST', paths.stop, stopForm),
  direct('GET', paths.answerLink, showAnswerLink),
  direct('POST', paths.answerLink, postAnswerLink),
  own('GET', paths.notification, showNotification),
  open('GET', paths.leaving, showLeaving),
  own('GET', paths.activity, showActivity),
  own('GET', paths.sessions, showSessions),
  own('GET', paths.live, showLive),
  leads(paths.resume, (id) => `/live/${id}`),
  own('POST', paths.resume, resume),
  own('GET', paths.settings, showSettings),
  open('POST', paths.theme, setTheme),
  own('GET', paths.tokens, showTokens),
  own('POST', paths.tokens, createToken),
  own('POST', paths.revokeToken, revokeToken),
  own('POST', paths.emptyToken, emptyToken),
  own('GET', paths.devices, showDevices),
  own('POST', paths.changeDevice, editDevice),
  own('POST', paths.testDevice, testDevice),
  own('POST', paths.removeDevice, removeDevice),
  own('GET', paths.people, showPeople),
  leads(paths.personRole, () => paths.people),
  own('POST', paths.personRole, saveRole, 'people'),
  own('GET', paths.policy, showPolicy),
  own('POST', paths.policy, savePolicy, 'policy'),
  own('GET', paths.rules, showRules),
  own('GET', paths.newRule, showNewRule, 'policy'),
  own('POST', paths.newRule, saveNewRule, 'policy'),
  own('GET', paths.rule, showRule, 'policy'),
  own('POST', paths.rule, saveRule, 'policy'),
  leads(paths.removeRule, () => paths.rules),
  own('POST', paths.removeRule, removeRule, 'policy'),
  own('GET', paths.ownSwitches, showOwnSwitches),
  own('POST', paths.ownSwitches, saveOwnSwitches),
  own('GET', paths.ownPassword, showOwnPassword),
  own('POST', paths.ownPassword, saveOwnPassword),
  own('GET', paths.slack, showSlack, 'slack'),
  own('POST', paths.slack, saveSlackApp, 'slack'),
  leads(paths.slackChannels, () => paths.slack),
  own('POST', paths.slackChannels, addSlackChannel, 'slack'),
  leads(paths.forgetSlack, () => paths.slack),
  own('POST', paths.forgetSlack, removeSlackApp, 'slack'),
  own('GET', paths.health, showHealth, 'health'),
  own('GET', paths.thisDevice, showThisDevice),
  own('GET', paths.beginPairing, showConnectPhone),
  own('POST', paths.beginPairing, connectPhone),
  own('GET', paths.pairing, showPairing),
  leads(paths.cancelPairing, (id) => `/settings/pair/${id}`),
  own('POST', paths.cancelPairing, endPairing),
  open('GET', paths.pair, showPair),
  open('POST', paths.pair, pair),
  own('GET', paths.callbacks, showCallbacks, 'callbacks'),
  leads(paths.callbackSecret, () => paths.callbacks),
  leads(paths.rotateCallbackSecret, () => paths.callbacks),
  own('POST', paths.callbackSecret, showCallbackSecret, 'callbacks'),
  own('POST', paths.rotateCallbackSecret, rotateSecret, 'callbacks'),
  own('POST', paths.redeliver, redeliver, 'callbacks'),
  open('GET', paths.signIn, showSignIn),
  open('POST', paths.signIn, signIn),
  open('POST', paths.signOut, signOut),
  open('GET', paths.setup, showSetup),
  open('POST', paths.setup, setUp),
  open('GET', paths.offline, showOffline),
  direct('GET', paths.manifest, (_, { request }) => manifest(new URL(request.url))),
  direct('GET', paths.serviceWorker, () => serveWorker()),
  direct('GET', paths.favicon, () => seeOther(asset('icon.svg'))),
  direct('GET', paths.asset, (_, { params, request }) => serveFile(params.file ?? '', request)),
]

/** Every page for people, as one part of the server. */
export function pageRoutes(deps: PageDeps) {
  const forms = formsOf(deps.channels).flatMap((form) => [
    leads(form.path, () => paths.devices),
    own('POST', form.path, (_, visit) => connectDevice(deps, visit, form)),
  ])
  return mount(
    [...forms, ...PAGES].map(({ method, path, guard, answer }) => ({
      method,
      path,
      guard: guard && ((request, params) => guard(deps, { request, params })),
      answer: async ({ request, params, caller }) =>
        await answer(deps, { request, params }, caller),
    })),
  )
}

/** For whoever is signed in, or may do `needs`; everybody else is led to the sign-in page. */
function own(method: Method, path: string, show: Show<SignedIn>, needs?: Capability): PageRoute {
  return {
    method,
    path,
    async guard(deps, context): Promise<SignedIn | Response> {
      guardForm(deps, context.request)
      const visit = await enter(deps, context)
      const { person, url, request } = visit
      const back = request.method === 'GET' ? wayBack(url) : questionPage(url)
      if (!person) return seeOther(href.signIn(back))
      if (needs) must(person, needs)
      return { ...visit, person }
    },
    answer: (deps, _, who) => (who instanceof Response ? who : show(deps, who as SignedIn)),
  }
}

/** For everybody, who may be signed in. */
function open(method: Method, path: string, show: Show<Visit>): PageRoute {
  return {
    method,
    path,
    async guard(deps, context): Promise<Visit> {
      guardForm(deps, context.request)
      return await enter(deps, context)
    },
    answer: (deps, _, who) => show(deps, who as Visit),
  }
}

/** For everybody, and nobody is asked who they are. */
function direct(
  method: Method,
  path: string,
  answer: (deps: PageDeps, context: Context) => Promise<Response> | Response,
): PageRoute {
  return { method, path, answer }
}

/** The address of a form, opened by itself: it leads to the page that has the form. */
function leads(path: string, to: (id: string) => string): PageRoute {
  const page = ({ params }: Context) => seeOther(to(encodeURIComponent(params.id ?? '')))
  return direct('GET', path, (_, context) => page(context))
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
