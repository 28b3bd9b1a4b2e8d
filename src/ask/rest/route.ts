import type { Static, TSchema } from '@sinclair/typebox'
import type { Clock } from '../../platform/clock.ts'
import { Failure, type FailureCode, type OwnFailure, wrongFields } from '../../platform/failure.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Connection, Mountable, RequestInput as Mounted } from '../../platform/http/mount.ts'
import { callsOf } from '../../platform/http/request.ts'
import { readToolArguments } from '../../platform/read-arguments.ts'
import {
  type Agent,
  type CallContext,
  type Caller,
  callerOf,
  checkServiceEnv,
} from '../accounts/model/agent.ts'
import { productOf } from '../accounts/model/client-names.ts'
import { type GuardedChange, NeedsAgreement } from '../accounts/model/guarded-change.ts'
import { type Capability, must, mustBeProven, type Person } from '../accounts/model/person.ts'

/** Finds out who calls a route, and limits how often. */
export type Callers = {
  clock: Clock
  limits: Pick<Limits, 'token'>
  /** Replaces the ids of what the person does not see. */
  hide(person: Person, params: Record<string, string>): Promise<Record<string, string>>
  /** Proposes a change to which others have to agree; the address of the question that decides it. */
  propose?(change: GuardedChange): Promise<string>
  authentication: {
    agentFrom(request: Request): Promise<Agent>
    hold<T>(agent: Agent, hungUp: AbortSignal, work: (ends: AbortSignal) => Promise<T>): Promise<T>
    personFrom(request: Request): Promise<Person | undefined>
    sameOrigin(request: Request): boolean
  }
}

/** The description of a route; `/openapi.json` is written from it. */
export type RouteSpec<I extends TSchema = TSchema, R extends TSchema = TSchema> = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Under `/api/v1`, with `:name` parameters. */
  path: string
  /** The summary, in one line. */
  summary: string
  /** The query of a GET, the JSON body of anything else. */
  input?: I
  /** Removes ignored fields from the input before the rest is checked. */
  tidy?: (input: unknown) => unknown
  /** Leaving the body out means `{}`. */
  optionalBody?: true
  /** The JSON of a success; without it the response is empty (204). */
  result?: R
  /** The status of a success; 200 if not given. */
  status?: 201
  /** A success is a stream of events instead of JSON. */
  stream?: true
  /** Other content types of a success that the caller can ask for. */
  files?: readonly string[]
  /** The call may be held for up to 55 seconds. */
  waits?: true
  /** A person may write although their sign-in could not be renewed. */
  unproven?: true
  /** Whoever only reads may send it. */
  reads?: true
  /** The permission that a person needs everywhere in the workspace. */
  needs?: Capability
  /** Failures besides those that every route has. */
  problems?: ReadonlyArray<FailureCode | OwnFailure>
}

export type RouteCaller = 'agent' | 'person' | 'anyone'

/** A route of a feature; `D` are its dependencies (`withDeps`). */
export type Route<D = unknown> = {
  spec: RouteSpec
  who: RouteCaller
  /** Finds out who calls; throws if they may not. */
  guard?: (callers: Callers, request: Request) => Promise<unknown>
  /** Throws if the caller may not send a large body. */
  admit?: (callers: Callers, request: Request, caller: unknown) => void
  answer: (input: Mounted, callers: Callers, deps: D) => Promise<Response>
}

/** The same routes with their dependencies. */
export function withDeps<D>(deps: D, routes: ReadonlyArray<Route<D>>): Route[] {
  return routes.map((route) => ({
    ...route,
    answer: (input, callers) => route.answer(input, callers, deps),
  }))
}

type RouteInput<I extends TSchema> = {
  input: Static<I>
  params: Record<string, string>
  request: Request
}

type Reply<R extends TSchema> = Promise<Static<R> | Response>

/** A route for agents: a token says who calls. */
export function agentRoute<I extends TSchema, R extends TSchema, D>(
  spec: RouteSpec<I, R>,
  handle: (deps: D, input: RouteInput<I> & { call: CallContext }) => Reply<R>,
): Route<D> {
  return {
    spec,
    who: 'agent',
    async guard({ clock, authentication, limits }, request): Promise<Calling> {
      const arrivedAt = clock.now()
      const agent = await authentication.agentFrom(request)
      limits.token.take(agent.tokenId)
      checkServiceEnv(request.headers)
      const client = productOf(request.headers)
      return { agent, caller: callerOf(agent, request.headers, client, arrivedAt) }
    },
    admit({ limits }, request, calling) {
      limits.token.take((calling as Calling).agent.tokenId, callsOf(request))
    },
    async answer({ request, params, input, caller: calling, connection }, callers, deps) {
      const { agent, caller } = calling as Calling
      // The body was read: the connection's timeout no longer applies while the call waits.
      if (spec.waits) connection?.timeout(request, 0)
      const id = keyOf(request)
      const work = (signal: AbortSignal) =>
        handle(deps, { input, params, request, call: { caller, id, talk() {}, signal } })
      const done = spec.waits
        ? callers.authentication.hold(agent, request.signal, work)
        : work(request.signal)
      return respond(spec, await done)
    },
  }
}

type Calling = { agent: Agent; caller: Caller }

const KEY_MAX = 200

/** The caller's name for this call, which its retries share: the header `Idempotency-Key`. */
function keyOf({ headers }: Request): string | undefined {
  const key = headers.get('idempotency-key') || undefined
  if (key === undefined || key.length <= KEY_MAX) return key
  throw wrongFields([{ field: 'Idempotency-Key', must: `must have at most ${KEY_MAX} characters` }])
}

/** A route for people: a session says who calls, and only our own pages may write. */
export function personRoute<I extends TSchema, R extends TSchema, D>(
  spec: RouteSpec<I, R>,
  handle: (
    deps: D,
    input: RouteInput<I> & { person: Person; connection: Connection | null },
  ) => Reply<R>,
): Route<D> {
  return {
    spec,
    who: 'person',
    async guard({ authentication }, request): Promise<Person> {
      const person = await signedIn(authentication, request)
      if (spec.needs) must(person, spec.needs)
      if (spec.method !== 'GET' && !spec.reads) must(person, 'act')
      if (spec.method !== 'GET' && !spec.unproven) mustBeProven(person)
      return person
    },
    async answer({ request, params: all, input, caller, connection }, { hide }, deps) {
      const person = caller as Person
      const params = await hide(person, all)
      return respond(spec, await handle(deps, { input, params, request, person, connection }))
    },
  }
}

/** A route that finds out by itself who calls; `caller` is what the guard of the route says, if it has one. */
export function openRoute<I extends TSchema, R extends TSchema, D>(
  spec: RouteSpec<I, R>,
  handle: (deps: D, input: RouteInput<I> & { caller: unknown }) => Reply<R>,
): Route<D> {
  return {
    spec,
    who: 'anyone',
    async answer({ request, params, input, caller }, _, deps) {
      return respond(spec, await handle(deps, { input, params, request, caller }))
    },
  }
}

/**
 * The signed-in person. Throws `unauthenticated`, and `forbidden` for a write from another site.
 */
export async function signedIn(
  authentication: Pick<Callers['authentication'], 'personFrom' | 'sameOrigin'>,
  request: Request,
): Promise<Person> {
  const person = await authentication.personFrom(request)
  if (!person) throw new Failure('unauthenticated', 'Nobody is signed in; sign in and try again.')
  if (
    request.method !== 'GET' &&
    request.method !== 'HEAD' &&
    !authentication.sameOrigin(request)
  ) {
    throw new Failure('forbidden', 'This request comes from another site; only our own pages may.')
  }
  return person
}

/** A route in the form that `mount` takes. */
export function mountable(callers: Callers, route: Route): Mountable[] {
  const { spec, who, guard, admit, answer } = route
  const { input: schema, tidy = (body: unknown) => body, optionalBody: optional } = spec
  const one = {
    method: spec.method,
    path: `/api/v1${spec.path}`,
    guard: guard && ((request: Request) => guard(callers, request)),
    admit: admit && ((request: Request, caller: unknown) => admit(callers, request, caller)),
    input: schema && {
      schema,
      // Frameworks write the calls of agents; a person's `null` is a mistake.
      tidy: who === 'agent' ? (body: unknown) => readToolArguments(schema, tidy(body)) : tidy,
      optional,
    },
    answer: (input: Mounted) =>
      answer(input, callers, undefined).catch((error) => proposed(error, callers)),
  }
  // For HEAD Elysia reads a GET to its end, which a stream does not have, so it gets a route of its
  // own.
  return spec.stream ? [one, { ...one, method: 'HEAD' }] : [one]
}

/** Says where a change is decided that others have to agree to. */
async function proposed(error: unknown, { propose }: Callers): Promise<never> {
  if (!(error instanceof NeedsAgreement) || !propose) throw error
  const question = await propose(error.change)
  throw new Failure(
    { code: 'needs_agreement', status: error.status, title: error.title },
    `Others have to agree to this, so nothing is changed yet. It is proposed, and decided at ${question}.`,
    { question },
  )
}

const NO_STORE = { 'cache-control': 'no-store' }

function respond(spec: RouteSpec, reply: unknown): Response {
  if (reply instanceof Response) return reply
  if (!spec.result) return new Response(null, { status: 204, headers: NO_STORE })
  return Response.json(reply, { status: spec.status ?? 200, headers: NO_STORE })
}
