import type { Static, TSchema } from '@sinclair/typebox'
import { Failure, type FailureCode } from '../../platform/failure.ts'
import type { Connection, Mountable, Asked as Mounted } from '../../platform/http/mount.ts'
import { type Agent, type Caller, callerOf } from '../accounts/model/agent.ts'
import type { Call } from '../accounts/model/call.ts'
import { type Capability, must } from '../accounts/model/may.ts'
import type { Person } from '../accounts/model/person.ts'
import type { RestDeps } from './rest-deps.ts'

/** What a route says of itself; `/openapi.json` is written from it. */
export type RouteSpec<I extends TSchema = TSchema, R extends TSchema = TSchema> = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Under `/api/v1`, with `:name` parameters. */
  path: string
  /** What it does, in one line. */
  summary: string
  /** The query of a GET, the JSON body of anything else. */
  input?: I
  /** Leaves out of the input what is never looked at, before the rest is checked. */
  tidy?: (input: unknown) => unknown
  /** Leaving the body out means `{}`. */
  optionalBody?: true
  /** The JSON of a success; without it there is nothing to say (204). */
  result?: R
  /** Of a success; 200 unless it says otherwise. */
  status?: 201
  /** A success is a stream of events instead of JSON. */
  stream?: true
  /** Other content types of a success, which the caller asks for. */
  files?: readonly string[]
  /** The call may be held for up to 55 seconds. */
  waits?: true
  /** What a person must be allowed to do everywhere in the workspace. */
  needs?: Capability
  /** What can go wrong beside what can go wrong everywhere. */
  problems?: readonly FailureCode[]
}

export type Who = 'agent' | 'person' | 'anyone'

export type Route = {
  spec: RouteSpec
  who: Who
  /** Who calls; throws the refusal. */
  guard?(deps: RestDeps, request: Request): Promise<unknown>
  answer(deps: RestDeps, asked: Mounted): Promise<Response>
}

type Asked<I extends TSchema> = {
  input: Static<I>
  params: Record<string, string>
  request: Request
}

type Reply<R extends TSchema> = Promise<Static<R> | Response>

/** A route for agents: a token says who calls. */
export function agentRoute<I extends TSchema, R extends TSchema>(
  spec: RouteSpec<I, R>,
  handle: (deps: RestDeps, asked: Asked<I> & { call: Call }) => Reply<R>,
): Route {
  return {
    spec,
    who: 'agent',
    async guard(deps, request): Promise<Calling> {
      const arrivedAt = deps.clock.now()
      const agent = await deps.authentication.agentFrom(request)
      deps.limits.token.take(agent.tokenId)
      const client = request.headers.get('user-agent') ?? undefined
      return { agent, caller: callerOf(agent, request.headers, client, arrivedAt) }
    },
    async answer(deps, { request, params, input, caller: calling, connection }) {
      const { agent, caller } = calling as Calling
      // The body is in: from here on the silence of the connection is ours.
      if (spec.waits) connection?.timeout(request, 0)
      const work = (signal: AbortSignal) =>
        handle(deps, { input, params, request, call: { caller, talk() {}, signal } })
      const done = spec.waits
        ? deps.authentication.hold(agent, request.signal, work)
        : work(request.signal)
      return respond(spec, await done)
    },
  }
}

type Calling = { agent: Agent; caller: Caller }

/** A route for people: a session says who calls, and only our own pages may write. */
export function personRoute<I extends TSchema, R extends TSchema>(
  spec: RouteSpec<I, R>,
  handle: (
    deps: RestDeps,
    asked: Asked<I> & { person: Person; connection: Connection | null },
  ) => Reply<R>,
): Route {
  return {
    spec,
    who: 'person',
    async guard(deps, request): Promise<Person> {
      const person = await signedIn(deps, request)
      if (spec.needs) must(person, spec.needs)
      return person
    },
    async answer(deps, { request, params, input, caller, connection }) {
      const person = caller as Person
      return respond(spec, await handle(deps, { input, params, request, person, connection }))
    },
  }
}

/** A route that finds out by itself who calls. */
export function openRoute<I extends TSchema, R extends TSchema>(
  spec: RouteSpec<I, R>,
  handle: (deps: RestDeps, asked: Asked<I>) => Reply<R>,
): Route {
  return {
    spec,
    who: 'anyone',
    async answer(deps, { request, params, input }) {
      return respond(spec, await handle(deps, { input, params, request }))
    },
  }
}

/** Who is signed in. Throws `unauthenticated`, and `forbidden` for a write from another site. */
export async function signedIn(deps: RestDeps, request: Request): Promise<Person> {
  const person = await deps.authentication.personFrom(request)
  if (!person) throw new Failure('unauthenticated', 'Nobody is signed in; sign in and try again.')
  if (
    request.method !== 'GET' &&
    request.method !== 'HEAD' &&
    !deps.authentication.sameOrigin(request)
  ) {
    throw new Failure('forbidden', 'This request comes from another site; only our own pages may.')
  }
  return person
}

/** A route with what it needs in its hand, as `mount` takes it. */
export function bound(deps: RestDeps, route: Route): Mountable[] {
  const { spec, guard, answer } = route
  const { input: schema, tidy, optionalBody: optional } = spec
  const one = {
    method: spec.method,
    path: `/api/v1${spec.path}`,
    guard: guard && ((request: Request) => guard(deps, request)),
    input: schema && { schema, tidy, optional },
    answer: (asked: Mounted) => answer(deps, asked),
  }
  // For HEAD Elysia reads a GET to its end, which a stream does not have: it answers by itself.
  return spec.stream ? [one, { ...one, method: 'HEAD' }] : [one]
}

const NO_STORE = { 'cache-control': 'no-store' }

function respond(spec: RouteSpec, reply: unknown): Response {
  if (reply instanceof Response) return reply
  if (!spec.result) return new Response(null, { status: 204, headers: NO_STORE })
  return Response.json(reply, { status: spec.status ?? 200, headers: NO_STORE })
}
