import type { Arbitrary } from 'fast-check'
import { Failure } from '../../../src/platform/failure.ts'
import { FAILURE_KINDS } from '../../support/failure-kinds.ts'
import { howOften } from '../../support/share.ts'

/** What became of an input: it was understood, or refused in words. */
export type Became = 'taken' | 'refused'

/** How one input is tried; `attempt` throws when something does not hold. */
export type Trial<T> = {
  input: Arbitrary<T>
  attempt(input: T): Became | Promise<Became>
}

/** One row of the table: something that reads what others wrote. */
export type Target = {
  name: string
  kind: 'parser' | 'endpoint'
  /** What it stands for: functions as `src/file.ts#name`, routes and tools by their names. */
  of: readonly string[]
  /** Inputs in a run of the tests; the command has its own, larger ones. */
  few: number
  // biome-ignore lint/suspicious/noExplicitAny: each target has inputs of its own.
  begin(): Trial<any> | Promise<Trial<any>>
}

const FEW = { parser: howOften(15, 150), endpoint: howOften(2, 10) }

/** Something pure, or nearly so. */
export function parser<T>(
  name: string,
  of: readonly string[],
  input: Arbitrary<T>,
  attempt: Trial<T>['attempt'],
  few = FEW.parser,
): Target {
  return { name, kind: 'parser', of, few, begin: () => ({ input, attempt }) }
}

/** Something that a server answers; `begin` gets at the server, which all of its targets share. */
export function endpoint<T>(
  name: string,
  of: readonly string[],
  begin: () => Promise<Trial<T>>,
  few = FEW.endpoint,
): Target {
  return { name, kind: 'endpoint', of, few, begin }
}

/** Runs `read`; what it refuses must be a `Failure` that the caller can act on. */
export function takes(read: () => unknown): Became {
  try {
    read()
    return 'taken'
  } catch (error) {
    return refused(error)
  }
}

/** The same for what takes its time. */
export async function takesLater(read: () => Promise<unknown>): Promise<Became> {
  try {
    await read()
    return 'taken'
  } catch (error) {
    return refused(error)
  }
}

/** Throws what is no refusal: anything untyped, and what blames the server. */
export function refused(error: unknown): Became {
  if (!(error instanceof Failure)) throw error
  const { code, message, fields, status } = error
  if (status >= 500) throw error
  if (!FAILURE_KINDS.has(code) || message.length < 10)
    throw new Error(`says too little: ${message}`)
  if (code === 'invalid_input' && fields.length === 0) throw new Error(`names no field: ${message}`)
  return 'refused'
}

/** Throws unless `held`. */
export function must(held: boolean, why: string): void {
  if (!held) throw new Error(why)
}
