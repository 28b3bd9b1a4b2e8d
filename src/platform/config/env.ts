import { suggest } from '../did-you-mean.ts'
import { WrongUsage } from '../failure.ts'
import { isServiceLink } from './service-links.ts'
import { readSmallFile, UnfitFile } from './small-file.ts'

/** Every variable the program knows; `.env.example` says what each is for. */
export const VARIABLES = [
  'BECKON_HOST',
  'BECKON_PORT',
  'BECKON_DATA',
  'BECKON_DATABASE_URL',
  'BECKON_DATABASE_LISTEN_URL',
  'BECKON_DATABASE_POOL',
  'BECKON_BASE_URL',
  'BECKON_DOMAIN',
  'BECKON_HTTPS_PORT',
  'BECKON_HTTP_PORT',
  'BECKON_ACME_DIRECTORY',
  'BECKON_ACME_CA',
  'BECKON_ACME_EMAIL',
  'BECKON_OAUTH',
  'BECKON_OAUTH_CLIENT_DOCUMENTS',
  'BECKON_TRUST_PROXY',
  'BECKON_DRAIN_SECONDS',
  'BECKON_ALLOWED_ORIGINS',
  'BECKON_VAPID_SUBJECT',
  'BECKON_ALLOW_PRIVATE_HOSTS',
  'BECKON_SLACK_BOT_TOKEN',
  'BECKON_SLACK_SIGNING_SECRET',
  'BECKON_SLACK_API_URL',
  'BECKON_TELEGRAM_BOT_TOKEN',
  'BECKON_TELEGRAM_API_URL',
  'BECKON_SMTP_URL',
  'BECKON_SMTP_FROM',
  'BECKON_LOG',
  'BECKON_LOG_LEVEL',
  'BECKON_RETENTION_DAYS',
  'BECKON_SNAPSHOTS',
  'BECKON_SNAPSHOT_FOLDER',
  'BECKON_TOKEN_LIMIT_FACTOR',
  'BECKON_CATALOG_RATE_LIMIT',
  'BECKON_CATALOG_PROBES',
  'BECKON_CATALOG_CANARY',
  'BECKON_AUDIT_URL',
  // Read by the commands that are clients of a server: notify, ask, wait, cancel.
  'BECKON_URL',
  'BECKON_TOKEN',
] as const

export type Variable = (typeof VARIABLES)[number]

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

const KNOWN: ReadonlySet<string> = new Set(VARIABLES)

/**
 * The settings in the environment; empty means not set. A variable may name a file that holds its
 * value instead (`BECKON_TOKEN_FILE`). Throws `WrongUsage` for an unknown `BECKON_` name, for a
 * value given both ways, and for a file that cannot be read or is not a regular file of up to 64
 * KiB. Kubernetes' variables for Services called `beckon…` are skipped.
 */
export function readEnvironment(
  environment: Environment = process.env,
): ReadonlyMap<Variable, Raw> {
  const settings = new Map<Variable, Raw>()
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith('BECKON_') || !text || isServiceLink(name, text)) continue
    const variable = name.replace(/_FILE$/, '')
    if (!isVariable(variable)) {
      const names = VARIABLES.flatMap((one) => [one, `${one}_FILE`])
      const suggestion = suggest(name, names) || '; docs/configuration.md lists them.'
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

function isVariable(name: string): name is Variable {
  return KNOWN.has(name)
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
