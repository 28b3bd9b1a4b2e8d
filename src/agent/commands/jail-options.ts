import { type OptionValues, readPlainOptions } from '../../platform/terminal/plain-options.ts'

const paths = { type: 'string', multiple: true } as const

const JAIL_OPTIONS = {
  write: paths,
  keep: paths,
  deny: paths,
  session: { type: 'string' },
  env: paths,
  'no-state': { type: 'boolean' },
  'no-namespaces': { type: 'boolean' },
  'best-effort': { type: 'boolean' },
} as const

export type JailOptions = OptionValues<typeof JAIL_OPTIONS>

/**
 * Every command of a session waits for this, so the reader of all option forms is only loaded when
 * it is needed.
 */
export async function readJailOptions(args: string[]): Promise<JailOptions> {
  const plain = readPlainly(args)
  if (plain) return plain
  const { readArguments } = await import('../../platform/terminal/arguments.ts')
  return readArguments(args, JAIL_OPTIONS)
}

/** Undefined for options in any other form, and for wrong ones. */
export function readPlainly(args: readonly string[]): JailOptions | undefined {
  const read = readPlainOptions(args, JAIL_OPTIONS)
  return read?.positionals.length === 0 ? read.values : undefined
}
