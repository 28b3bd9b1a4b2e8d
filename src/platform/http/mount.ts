import type { TSchema } from '@sinclair/typebox'
import { type AnyElysia, Elysia } from 'elysia'
import { shape } from '../schema.ts'
import { readJson, readOptionalJson } from './request.ts'

/** The part of Bun's server that gives information about a connection. */
export type Connection = {
  timeout(request: Request, seconds: number): void
}

/** A request whose caller is known and whose input fits its schema. */
export type RequestInput<Input = unknown, Caller = unknown> = {
  request: Request
  params: Record<string, string>
  input: Input
  /** The result of the guard. */
  caller: Caller
  connection: Connection | null
}

/** The input of a request: the query of a GET, the JSON body of anything else. */
type InputSpec<I extends TSchema = TSchema> = {
  schema: I
  /** Removes ignored fields from a body before the rest is checked. */
  tidy?: ((body: unknown) => unknown) | undefined
  /** A missing body means `{}`. */
  optional?: boolean | undefined
}

/** One address with its dependencies bound: a server's answers are a list of these. */
export type Mountable = {
  method: string
  /** From the root, with `:name` parameters. */
  path: string
  /** Identifies the caller. Runs before the body is read; throws if they may not. */
  guard?: ((request: Request, params: Record<string, string>) => Promise<unknown>) | undefined
  /** Throws if the caller may not send a large body. */
  admit?: ((request: Request, caller: unknown) => void) | undefined
  input?: InputSpec | undefined
  answer(input: RequestInput): Promise<Response>
}

/** The context that Elysia passes to hooks and handlers; a path without `:name` has no `params`. */
type Context = Omit<RequestInput, 'connection' | 'params'> & {
  params: Record<string, string> | undefined
  query: unknown
  server: unknown
}

const NO_PARAMS: Record<string, string> = {}

/**
 * Turns routes into routes of Elysia: the guard, then the input, then the answer. Elysia reads the
 * source of hooks and handlers: it prepares only what they destructure in their parameter, and
 * awaits for certain only what is written as an `async` function.
 */
export function mount(routes: readonly Mountable[]): AnyElysia {
  const app = new Elysia()
  for (const route of routes) {
    const { handle, ...hooks } = mounted(route)
    app.route(route.method, route.path, handle as never, { ...hooks, parse: 'none' } as never)
  }
  return app
}

function mounted({ method, guard, admit, input, answer }: Mountable) {
  if (!input) {
    return {
      ...(guard && {
        transform: async ({ request, params }: Context) => ({
          caller: await guard(request, params ?? NO_PARAMS),
        }),
      }),
      handle: async ({ request, params, caller, server }: Context) =>
        await answer(createInput(request, params, caller, {}, server)),
    }
  }
  const schema = checked(input)
  if (method === 'GET' || method === 'HEAD') {
    return {
      transform: async ({ request, params }: Context) => ({
        caller: await guard?.(request, params ?? NO_PARAMS),
        // Elysia parses queries in its own way; ours is that of URLSearchParams.
        query: readQuery(request.url, input.schema),
      }),
      query: schema,
      handle: async ({ request, params, caller, query, server }: Context) =>
        await answer(createInput(request, params, caller, query, server)),
    }
  }
  const read = input.optional ? readOptionalJson : readJson
  return {
    // Not in `parse`, where Elysia makes a stream of every body before a hook sees it, which made a
    // refusal cost half as much again.
    transform: async ({ request, params }: Context) => {
      const caller = await guard?.(request, params ?? NO_PARAMS)
      const body = await read(request, () => admit?.(request, caller))
      const { value } = schema['~standard'].validate(body)
      return { caller, input: value }
    },
    body: schema,
    handle: async ({ request, params, caller, input, server }: Context) =>
      await answer(createInput(request, params, caller, input, server)),
  }
}

function createInput(
  request: Request,
  params: Context['params'],
  caller: unknown,
  input: unknown,
  server: unknown,
): RequestInput {
  return { request, params: params ?? NO_PARAMS, caller, input, connection: server as Connection }
}

/**
 * The schema wrapped so that Elysia does not modify it: our code checks it, and the errors are
 * ours.
 */
function checked({ schema, tidy = (whole) => whole }: InputSpec) {
  const validator = shape(schema)
  return {
    schema,
    '~standard': {
      version: 1 as const,
      vendor: 'beckon',
      validate: (value: unknown) => ({ value: validator.parse(tidy(value)) as unknown }),
    },
  }
}

const WHOLE = /^-?\d{1,15}$/

/** A query string as the object its schema describes: whole numbers become numbers. */
export function readQuery(url: string, schema: TSchema): Record<string, unknown> {
  const mark = url.indexOf('?')
  if (mark < 0) return {}
  const fields: Record<string, TSchema> = schema.properties ?? {}
  const pairs = [...new URLSearchParams(url.slice(mark))].map(([name, text]) => {
    const number = fields[name]?.type === 'integer' && WHOLE.test(text)
    return [name, number ? Number(text) : text] as const
  })
  return Object.fromEntries(pairs)
}
