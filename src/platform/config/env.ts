import { suggest } from '../did-you-mean.ts'
import { WrongUsage } from '../failure.ts'
import { isServiceLink } from './service-links.ts'
import type { Variable } from './setting.ts'
import { readSmallFile, UnfitFile } from './small-file.ts'

/** A value and where it was set, for an error about it. */
export type Raw = { text: string; source: string }

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The whole environment, with system folders and the variables that agent clients pass to their
 * hooks.
 */
export function wholeEnvironment(): Environment {
  return process.env
}

/**
 * The settings in the environment, of those in `variables`; empty means not set. A variable may
 * name a file that holds its value instead (`BECKON_TOKEN_FILE`). Throws `WrongUsage` for an unknown `BECKON_` name, for a
 * value given both ways, and for a file that cannot be read or is not a regular file of up to 64
 * KiB. Kubernetes' variables for Services called `beckon…` are skipped.
 */
export function readVariables(
  variables: readonly Variable[],
  environment: Environment = process.env,
): ReadonlyMap<Variable, Raw> {
  const settings = new Map<Variable, Raw>()
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith('BECKON_') || !text || isServiceLink(name, text)) continue
    const own = variables.find((one) => one === name)
    const variable = own ?? variables.find((one) => one === name.replace(/_FILE$/, ''))
    if (!variable) {
      const names = variables.flatMap((one) => [one, `${one}_FILE`])
      const suggestion = suggest(name, names) || '; beckon docs configuration lists them.'
      throw new WrongUsage(`${name} is not a variable that Beckon knows${suggestion}`)
    }
    const other = settings.get(variable)
    if (other) {
      throw new WrongUsage(`${variable} is set twice, directly and as ${variable}_FILE; keep one.`)
    }
    settings.set(variable, name === variable ? { text, source: name } : fromFile(name, text))
  }
  return settings
}

function fromFile(name: string, path: string): Raw {
  try {
    return { text: readSmallFile(path).trim(), source: name }
  } catch (error) {
    if (error instanceof UnfitFile)
      throw new WrongUsage(`${name} names ${path}, which ${error.message}.`)
    const { code } = error as NodeJS.ErrnoException
    throw new WrongUsage(`${name} names ${path}, which cannot be read (${code}).`)
  }
}
