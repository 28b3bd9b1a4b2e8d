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

export type JailOptions = {
  [Name in keyof typeof JAIL_OPTIONS]?: (typeof JAIL_OPTIONS)[Name] extends { multiple: true }
    ? string[]
    : (typeof JAIL_OPTIONS)[Name] extends { type: 'string' }
      ? string
      : boolean
}

/**
 * Reads options that are written plainly, `--name value`. Every command of a session waits for this,
 * and to load what reads all forms takes longer than the rest of the reading; that is left to
 * anything else, and to what is wrong.
 */
export async function readJailOptions(args: string[]): Promise<JailOptions> {
  const plain = readPlainOptions(args)
  if (plain) return plain
  const { readArguments } = await import('../../platform/terminal/arguments.ts')
  return readArguments(args, JAIL_OPTIONS)
}

/** Undefined for options that are written in another way, and for what is wrong. */
export function readPlainOptions(args: readonly string[]): JailOptions | undefined {
  const read: Record<string, string | string[] | boolean> = {}
  for (let at = 0; at < args.length; at++) {
    const name = args[at]?.startsWith('--') ? args[at]?.slice(2) : undefined
    if (name === undefined || !Object.hasOwn(JAIL_OPTIONS, name)) return undefined
    const option = JAIL_OPTIONS[name as keyof typeof JAIL_OPTIONS]
    if (option.type === 'boolean') {
      read[name] = true
      continue
    }
    const value = args[++at]
    if (value === undefined || value.startsWith('-')) return undefined
    read[name] = 'multiple' in option ? [...((read[name] as string[]) ?? []), value] : value
  }
  return read as JailOptions
}
