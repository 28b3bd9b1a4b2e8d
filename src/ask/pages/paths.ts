import type { Id } from '../../platform/ids.ts'
import { holdsToken } from '../accounts/model/agent.ts'
import type { PairingId, PersonId, TokenId } from '../accounts/model/ids.ts'
import type { NotificationId, QuestionId } from '../wire/ids.ts'

/** Every path of the pages, in the router's format. */
export const paths = {
  home: '/',
  inbox: '/inbox',
  together: '/inbox/together',
  decide: '/d/:id',
  answer: '/d/:id/answer',
  stop: '/d/:id/stop',
  handOver: '/d/:id/terminal',
  undo: '/d/:id/undo',
  withdrawVote: '/d/:id/vote',
  claim: '/d/:id/claim',
  snooze: '/d/:id/snooze',
  editScope: '/d/:id/scope',
  answerLink: '/a/:token',
  notification: '/n/:id',
  leaving: '/n/:id/go',
  activity: '/activity',
  audit: '/audit',
  sessions: '/sessions',
  live: '/live/:id',
  resume: '/live/:id/resume',
  instruct: '/live/:id/next',
  withdrawInstruction: '/live/:id/next/withdraw',
  nextSettings: '/live/:id/next/settings',
  repositories: '/repositories',
  settings: '/settings',
  tokens: '/settings/tokens',
  revokeToken: '/settings/tokens/:id/revoke',
  emptyToken: '/settings/tokens/:id/empty',
  tokenOwner: '/settings/tokens/:id/owner',
  clients: '/settings/clients',
  removeClient: '/settings/clients/:id/remove',
  devices: '/settings/devices',
  addDevice: '/settings/devices/add',
  changeDevice: '/settings/devices/:id/change',
  testDevice: '/settings/devices/:id/test',
  removeDevice: '/settings/devices/:id/remove',
  thisDevice: '/settings/devices/this',
  beginPairing: '/settings/pair',
  pairing: '/settings/pair/:id',
  cancelPairing: '/settings/pair/:id/cancel',
  pair: '/pair/:code',
  people: '/settings/people',
  personRole: '/settings/people/:id/role',
  inviteAgain: '/settings/people/:id/invite',
  switchOff: '/settings/people/:id/off',
  switchOn: '/settings/people/:id/on',
  removePerson: '/settings/people/:id/remove',
  ownSwitches: '/settings/notifications',
  ownUndo: '/settings/undo',
  ownPassword: '/settings/password',
  passkeys: '/settings/passkeys',
  removePasskey: '/settings/passkeys/:id/remove',
  signOutElsewhere: '/settings/passkeys/sign-out',
  endSignIn: '/settings/sign-ins/:id/end',
  company: '/settings/sign-in',
  localSignIn: '/settings/sign-in/local',
  newProvider: '/settings/sign-in/new',
  provider: '/settings/sign-in/providers/:id',
  removeProvider: '/settings/sign-in/providers/:id/remove',
  disconnect: '/settings/sign-in/providers/:id/disconnect',
  callbacks: '/settings/callbacks',
  callbackSecret: '/settings/callbacks/secret',
  rotateCallbackSecret: '/settings/callbacks/rotate',
  redeliver: '/settings/callbacks/:id/redeliver',
  policy: '/settings/policy',
  preset: '/settings/policy/preset',
  programs: '/settings/policy/programs',
  removeProgram: '/settings/policy/programs/remove',
  visibility: '/settings/visibility',
  policyFile: '/settings/policy/file',
  releasePolicyFile: '/settings/policy/file/release',
  policyTokens: '/settings/policy/file/tokens',
  revokePolicyToken: '/settings/policy/file/tokens/revoke',
  rules: '/settings/rules',
  newRule: '/settings/rules/new',
  rule: '/settings/rules/:id',
  removeRule: '/settings/rules/:id/remove',
  allowed: '/settings/allowed',
  revokeGrant: '/settings/allowed/:id/revoke',
  gates: '/settings/gates',
  gate: '/settings/gates/:id',
  gateTool: '/settings/gates/:id/tool',
  confirmGate: '/settings/gates/:id/confirm',
  removeGate: '/settings/gates/:id/remove',
  gateServers: '/settings/gate-servers',
  removeGateServer: '/settings/gate-servers/remove',
  health: '/settings/health',
  clock: '/settings/health/clock',
  theme: '/settings/theme',
  authorize: '/oauth2/authorize',
  signIn: '/sign-in',
  signInWith: '/sign-in/with/:provider',
  signInBack: '/sign-in/back/:provider',
  confirmAccount: '/sign-in/confirm/:code',
  signOut: '/sign-out',
  setup: '/setup',
  offline: '/offline',
  manifest: '/manifest.webmanifest',
  serviceWorker: '/sw.js',
  favicon: '/favicon.ico',
  asset: '/assets/:file',
} as const

/** The address of a page that needs an id. */
export const href = {
  decide: (id: QuestionId) => `/d/${id}`,
  answer: (id: QuestionId) => `/d/${id}/answer`,
  receipt: (id: QuestionId) => `/api/v1/receipts/${id}`,
  stop: (id: QuestionId) => `/d/${id}/stop`,
  handOver: (id: QuestionId) => `/d/${id}/terminal`,
  undo: (id: QuestionId) => `/d/${id}/undo`,
  withdrawVote: (id: QuestionId) => `/d/${id}/vote`,
  claim: (id: QuestionId) => `/d/${id}/claim`,
  snooze: (id: QuestionId) => `/d/${id}/snooze`,
  ruleFrom: (id: QuestionId) => `/settings/rules/new?question=${id}`,
  revokeGrant: (id: Id<'grant'>) => `/settings/allowed/${id}/revoke`,
  editScope: (id: QuestionId) => `/d/${id}/scope`,
  live: (id: Id<'ses'>) => `/live/${id}`,
  resume: (id: Id<'ses'>) => `/live/${id}/resume`,
  instruct: (id: Id<'ses'>) => `/live/${id}/next`,
  withdrawInstruction: (id: Id<'ses'>) => `/live/${id}/next/withdraw`,
  nextSettings: (id: Id<'ses'>) => `/live/${id}/next/settings`,
  /** The key is in the query, because browsers resolve `..` in a path, however it is written. */
  repository: (repoKey: string) => `/repositories?${new URLSearchParams({ repoKey })}`,
  notification: (id: NotificationId) => `/n/${id}`,
  revokeToken: (id: TokenId) => `/settings/tokens/${id}/revoke`,
  removeClient: (id: string) => `/settings/clients/${id}/remove`,
  emptyToken: (id: TokenId) => `/settings/tokens/${id}/empty`,
  tokenOwner: (id: TokenId) => `/settings/tokens/${id}/owner`,
  changeDevice: (id: Id<'sub'>) => `/settings/devices/${id}/change`,
  testDevice: (id: Id<'sub'>) => `/settings/devices/${id}/test`,
  removeDevice: (id: Id<'sub'>) => `/settings/devices/${id}/remove`,
  removePasskey: (id: string) => `/settings/passkeys/${encodeURIComponent(id)}/remove`,
  endSignIn: (id: string) => `/settings/sign-ins/${encodeURIComponent(id)}/end`,
  personRole: (id: PersonId) => `/settings/people/${encodeURIComponent(id)}/role`,
  inviteAgain: (id: PersonId) => `/settings/people/${encodeURIComponent(id)}/invite`,
  switchPerson: (id: PersonId, to: 'on' | 'off') =>
    `/settings/people/${encodeURIComponent(id)}/${to}`,
  removePerson: (id: PersonId) => `/settings/people/${encodeURIComponent(id)}/remove`,
  signInWith: (id: string, next: string) =>
    next === '/' ? `/sign-in/with/${id}` : `/sign-in/with/${id}?next=${encodeURIComponent(next)}`,
  signInAgainWith: (id: string, next: string) =>
    `/sign-in/with/${id}?next=${encodeURIComponent(next)}&again=yes`,
  signInAgain: (next: string) => `/sign-in?next=${encodeURIComponent(next)}&again=yes`,
  signedOutOf: (id: string) => `/sign-in?left=${id}`,
  signOutOf: (id: string) => `/sign-in/with/${id}?out=yes`,
  connectAccount: (id: string) => `/sign-in/with/${id}?connect=yes`,
  confirmAccount: (code: string) => `/sign-in/confirm/${code}`,
  provider: (id: string) => `/settings/sign-in/providers/${id}`,
  removeProvider: (id: string) => `/settings/sign-in/providers/${id}/remove`,
  disconnect: (id: string) => `/settings/sign-in/providers/${id}/disconnect`,
  rule: (id: Id<'rule'>) => `/settings/rules/${id}`,
  removeRule: (id: Id<'rule'>) => `/settings/rules/${id}/remove`,
  gate: (id: Id<'gate'>) => `/settings/gates/${id}`,
  /** The name is in the query, because browsers resolve `..` in a path. */
  gateTool: (id: Id<'gate'>, name: string) =>
    `/settings/gates/${id}/tool?${new URLSearchParams({ name })}`,
  confirmGate: (id: Id<'gate'>) => `/settings/gates/${id}/confirm`,
  removeGate: (id: Id<'gate'>) => `/settings/gates/${id}/remove`,
  pairing: (id: PairingId) => `/settings/pair/${id}`,
  cancelPairing: (id: PairingId) => `/settings/pair/${id}/cancel`,
  pair: (code: string) => `/pair/${code}`,
  manifestOf: (code: string) => `/manifest.webmanifest?pair=${code}`,
  callback: (id: Id<'cb'>) => `/settings/callbacks#callback-${id}`,
  redeliver: (id: Id<'cb'>) => `/settings/callbacks/${id}/redeliver`,
  signIn: (next: string) =>
    next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`,
}

// Any origin will do: only whether a path stays on it matters.
const ANY = 'https://any.invalid'

/**
 * `next` as a redirect target if it leads to a page of this server, otherwise the home page: no
 * open redirect.
 */
export function ownPath(next: string | null | undefined): string {
  if (!next?.startsWith('/') || /[\p{Cc}\\]/u.test(next)) return '/'
  const url = URL.parse(next, ANY)
  if (url?.origin !== ANY || url.pathname.startsWith('//')) return '/'
  return url.pathname + url.search + url.hash
}

// Parameters that must not be in the address that leads back: a token, a code, a password sent by
// mistake. Other keys, like `repoKey`, say which page it is.
const SECRET_PARAMETER =
  /token|code|secret|password|auth|(^|(api|access|secret|private|setup)[_-]?)key$/i

/** The address of a page to return to after signing in: as requested, without any secret. */
export function wayBack({ pathname, searchParams }: URL): string {
  const pairs = [...searchParams].filter(
    ([name, value]) => !SECRET_PARAMETER.test(name) && !holdsToken(value),
  )
  return pairs.length > 0 ? `${pathname}?${new URLSearchParams(pairs)}` : pathname
}

/**
 * The page of the question that a form belongs to, to return to after signing in; otherwise the
 * home page.
 */
export function questionPage({ pathname }: URL): string {
  return /^\/d\/\w+(?=\/)/.exec(pathname)?.[0] ?? '/'
}
