import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import { seeOther } from '../../platform/web/respond.ts'
import type { GuardedChange } from '../accounts/model/guarded-change.ts'
import {
  type Capability,
  isAuditor,
  must,
  mustBeProven,
  type Person,
} from '../accounts/model/person.ts'
import type { QuestionId } from '../wire/ids.ts'
import { href, paths, questionPage, wayBack } from './paths.ts'
import { ACTING_PAGES, OWN_FORMS, withoutActs } from './read-only.ts'
import { type FindServerRecord, readVisit, type SignedIn, type Visit } from './visit.ts'

/** The parts that are read for every visitor before a page is made. */
export type Visitors = {
  clock: Clock
  authentication: {
    personFrom(request: Request): Promise<Person | undefined>
    sameOrigin(request: Request): boolean
  }
  /** Replaces the ids of what the person does not see. */
  hide(person: Person, params: Record<string, string>): Promise<Record<string, string>>
  /** How many questions a person can answer, without those they snoozed. */
  countOpen(person: Person): Promise<number>
  /** The key that browsers subscribe with, base64url. */
  vapidPublicKey: string
  /** The address of the directory of tools; undefined while it is empty. */
  catalog(): string | undefined
  recordOf?: FindServerRecord
  /** Proposes a change to which others have to agree; the question that decides it. */
  propose?(change: GuardedChange): Promise<QuestionId>
}

/** The request for a page. */
export type PageCall = { request: Request; params: Record<string, string> }
type Method = 'GET' | 'POST'
type Show<D, V> = (deps: D, visit: V) => Promise<Response> | Response

/**
 * A page: `guard` finds out who comes, or redirects to the sign-in. `D` are its dependencies
 * (`pagesWith`).
 */
export type Page<D = unknown> = {
  method: Method
  path: string
  guard?: (visitors: Visitors, call: PageCall) => Promise<unknown>
  answer: (call: PageCall, who: unknown, deps: D) => Promise<Response> | Response
}

/** The same pages with their dependencies. */
export function pagesWith<D>(deps: D, pages: ReadonlyArray<Page<D>>): Page[] {
  return pages.map((page) => ({ ...page, answer: (call, who) => page.answer(call, who, deps) }))
}

/** For signed-in people, or those who may do `needs`; others are redirected to the sign-in page. */
export function signedInPage<D>(
  method: Method,
  path: string,
  show: Show<D, SignedIn>,
  needs?: Capability,
): Page<D> {
  return {
    method,
    path,
    async guard(visitors, call): Promise<SignedIn | Response> {
      refuseForeignForm(visitors, call.request)
      const visit = await visitOf(visitors, call)
      const { person, url, request } = visit
      const back = request.method === 'GET' ? wayBack(url) : questionPage(url)
      if (!person) return seeOther(href.signIn(back))
      if (needs) must(person, needs)
      if (ACTING_PAGES.has(path)) must(person, 'act')
      if (method === 'POST' && !OWN_FORMS.has(path)) must(person, 'act')
      if (method === 'POST' && !UNPROVEN.has(path)) mustBeProven(person)
      return { ...visit, person, params: await visitors.hide(person, visit.params) }
    },
    async answer(_, who, deps) {
      if (who instanceof Response) return who
      const visit = who as SignedIn
      const page = await show(deps, visit)
      return isAuditor(visit.person) ? withoutActs(page) : page
    },
  }
}

/** Forms that do not need a proven sign-in; an answer looks at its value itself. */
const UNPROVEN: ReadonlySet<string> = new Set([
  paths.answer,
  paths.together,
  paths.stop,
  paths.undo,
  paths.snooze,
  paths.revokeGrant,
  paths.withdrawInstruction,
])

/** For everybody, signed in or not. */
export function publicPage<D>(method: Method, path: string, show: Show<D, Visit>): Page<D> {
  return {
    method,
    path,
    async guard(visitors, call): Promise<Visit> {
      refuseForeignForm(visitors, call.request)
      return await visitOf(visitors, call)
    },
    answer: (_, who, deps) => show(deps, who as Visit),
  }
}

/** For everybody, without reading who they are. */
export function rawPage<D>(
  method: Method,
  path: string,
  answer: (deps: D, call: PageCall) => Promise<Response> | Response,
): Page<D> {
  return { method, path, answer: (call, _, deps) => answer(deps, call) }
}

/** The address of a form, opened by itself: it redirects to the page with the form. */
export function redirectTo(path: string, to: (id: string) => string): Page {
  return rawPage('GET', path, (_, { params }) => seeOther(to(encodeURIComponent(params.id ?? ''))))
}

/** Reads who visits, and with what settings. */
export async function visitOf(
  { authentication, countOpen, clock, vapidPublicKey, catalog, recordOf }: Visitors,
  { request, params }: PageCall,
): Promise<Visit> {
  const person = await authentication.personFrom(request)
  const waiting = person ? await countOpen(person) : 0
  const visit = readVisit(request, params, clock.now(), person, waiting)
  // Nothing rings for an auditor.
  const key = person && isAuditor(person) ? {} : { vapidKey: vapidPublicKey }
  return { ...visit, ...key, catalog: catalog(), recordOf }
}

/** Forms on other sites must not act for a signed-in person. */
function refuseForeignForm({ authentication }: Visitors, request: Request) {
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (reads || authentication.sameOrigin(request)) return
  throw new Failure(
    'forbidden',
    'This form came from another site, so nothing was done. Open the page here and try again.',
  )
}
