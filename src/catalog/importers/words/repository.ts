import { asLink } from './as-link.ts'

const SHORT: Record<string, string> = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
}
const NAME = '(?!\\.{1,2}(?:/|#|$))[A-Za-z0-9_.-]+'
const PART = new RegExp(`^${NAME}$`)
const SHORTHAND = new RegExp(`^(?:(github|gitlab|bitbucket):)?(${NAME}/${NAME})(?:#.*)?$`)
const OVER_SSH = /^(?:ssh:\/\/)?[A-Za-z0-9_-]+@([A-Za-z0-9.-]+)[:/](.+)$/

/**
 * The web address of a repository, however a package writes it: `owner/name`, `gitlab:owner/name`,
 * `git@host:owner/name.git`, `git+https://…`, or an object with `url`. Without credentials.
 */
export function repositoryLink(value: unknown): string | undefined {
  if (typeof value === 'string') return addressOf(value)
  if (typeof value !== 'object' || value === null) return undefined
  const { url } = value as { url?: unknown }
  return typeof url === 'string' ? addressOf(url) : undefined
}

/** The folder of a package in a repository with several; undefined for its root. */
export function folderOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { directory } = value as { directory?: unknown }
  if (typeof directory !== 'string' || directory.length > 300) return undefined
  const path = directory.trim().replace(/^(\.?\/)+|\/+$/g, '')
  return path.split('/').every((part) => PART.test(part)) ? path : undefined
}

function addressOf(text: string): string | undefined {
  const trimmed = text.trim().replace(/^git\+/, '')
  if (trimmed.length > 500) return undefined
  const [, host = 'github', path] = SHORTHAND.exec(trimmed) ?? []
  if (path) return tidied(`https://${SHORT[host]}/${path}`)
  const [, server, rest] = OVER_SSH.exec(trimmed) ?? []
  // A number after the colon is a port.
  if (server) return tidied(`https://${server}/${rest?.replace(/^\d+\//, '')}`)
  const url = URL.parse(trimmed)
  if (!url || !/^(https?|git|ssh):$/.test(url.protocol)) return undefined
  return tidied(`https://${url.hostname}${url.pathname}`)
}

function tidied(address: string): string | undefined {
  const url = URL.parse(address)
  const path = url?.pathname.replace(/\/+$/, '').replace(/\.git$/, '')
  return path ? asLink(`https://${url?.hostname.replace(/^www\./, '')}${path}`) : undefined
}
