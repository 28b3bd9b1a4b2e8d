/** Has no default, because no option of Beckon has one. */
type Option = { type: 'string' | 'boolean'; multiple?: boolean | undefined }
type Options = Readonly<Record<string, Option>>

/** The values of options, in the form of `parseArgs` of `node:util`. */
export type OptionValues<O extends Options> = {
  [Name in keyof O]?: O[Name] extends { multiple: true }
    ? string[]
    : O[Name] extends { type: 'string' }
      ? string
      : boolean
}

/**
 * Parses options of the form `--name value`, and positionals, with the same result as `parseArgs`.
 * Undefined for any other form and for mistakes, which are left to `parseArgs`: loading it takes
 * longer than most commands take to start.
 */
export function readPlainOptions<const O extends Options>(
  args: readonly string[],
  options: O,
): { values: OptionValues<O>; positionals: string[] } | undefined {
  const values: Record<string, string | string[] | boolean> = {}
  const positionals: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (!arg.startsWith('-')) {
      positionals.push(arg)
      continue
    }
    const name = arg.slice(2)
    const option = arg.startsWith('--') && Object.hasOwn(options, name) ? options[name] : undefined
    if (!option) return undefined
    if (option.type === 'boolean') {
      values[name] = true
      continue
    }
    const value = args[++at]
    if (value === undefined || value.startsWith('-')) return undefined
    values[name] = option.multiple ? [...((values[name] as string[]) ?? []), value] : value
  }
  return { values: values as OptionValues<O>, positionals }
}
