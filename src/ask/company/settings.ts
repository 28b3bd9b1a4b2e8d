import {
  type Setting,
  setting,
  settingGroup,
  type ValuesOf,
} from '../../platform/config/setting.ts'
import { between, type Meaning, OFF_OR_ON, one, SECRET } from '../../platform/config/values.ts'
import { WrongUsage } from '../../platform/failure.ts'
import { LOCAL_SIGN_IN } from '../sign-in/company-access.ts'
import { CLIENT_AUTHS, HOURS, type ProviderSettings, slugOf } from './model/provider.ts'

/** An issuer stays as it is written: a slash at its end is a part of it. */
export const ISSUER: Meaning<string> = {
  must: 'the issuer of the provider, an http or https address as its metadata have it, like https://login.example.com',
  read(text) {
    const url = URL.parse(text)
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
    return /[\s{}]/.test(text) || url.search || url.hash ? undefined : text
  },
}

const LIST_MAX = 100

function listOf(must: string, isFit: (part: string) => boolean): Meaning<string[]> {
  return {
    must,
    read(text) {
      const parts = text.split(',').map((part) => part.trim())
      const list = [...new Set(parts.filter((part) => part !== ''))]
      return list.length <= LIST_MAX && list.every(isFit) ? list : undefined
    },
  }
}

const DOMAIN = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/

export const DOMAINS: Meaning<string[]> = {
  must: 'domains of addresses, separated by commas, like example.com',
  read: (text) => listOf('', (part) => DOMAIN.test(part)).read(text.toLowerCase()),
}

export const GROUP_NAMES = listOf(
  'groups as the provider names them, separated by commas',
  (part) => /^[^\p{Cc}]{1,500}$/u.test(part),
)

export const SCOPES: Meaning<string[]> = {
  must: 'scopes separated by spaces, like groups offline_access',
  read(text) {
    const scopes = text.split(/\s+/).filter(Boolean)
    return scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(scope))
      ? scopes
      : undefined
  },
}

export const NAME: Meaning<string> = {
  must: 'a name with letters or digits, at most 40 characters, like Acme',
  read: (text) =>
    /^[^\p{Cc}]{1,40}$/u.test(text) && slugOf(text) !== '' ? text.trim() : undefined,
}

export const CLAIM: Meaning<string> = {
  must: 'the name of a claim, or its path, like realm_access.roles',
  read: (text) => (/^[^\s\p{Cc}]{1,200}$/u.test(text) ? text : undefined),
}

export const CLIENT_ID: Meaning<string> = {
  must: 'the client id that the provider shows',
  read: (text) => (/^[\x21-\x7e]{1,500}$/.test(text) ? text : undefined),
}

const HOUR_COUNT = between(HOURS.least, HOURS.most)

/** One provider, from the environment; pages show it and cannot change it. */
export const companySettings = settingGroup(
  {
    issuer: setting('BECKON_OIDC_ISSUER', ISSUER),
    clientId: setting('BECKON_OIDC_CLIENT_ID', CLIENT_ID),
    secret: setting('BECKON_OIDC_CLIENT_SECRET', SECRET),
    clientAuth: setting('BECKON_OIDC_CLIENT_AUTH', one(...CLIENT_AUTHS)),
    name: setting('BECKON_OIDC_NAME', NAME),
    scopes: setting('BECKON_OIDC_SCOPES', SCOPES, []),
    groupsClaim: setting('BECKON_OIDC_GROUPS_CLAIM', CLAIM, ''),
    directoryClaim: setting('BECKON_OIDC_DIRECTORY_CLAIM', CLAIM, ''),
    domains: setting('BECKON_OIDC_DOMAINS', DOMAINS, []),
    requiredGroups: setting('BECKON_OIDC_REQUIRED_GROUPS', GROUP_NAMES, []),
    ownerGroups: setting('BECKON_OIDC_OWNER_GROUPS', GROUP_NAMES, []),
    groups: setting('BECKON_OIDC_GROUPS', GROUP_NAMES, []),
    joins: setting('BECKON_OIDC_JOIN', OFF_OR_ON, false),
    links: setting('BECKON_OIDC_LINK', one('by_address', 'off'), 'off'),
    hours: setting('BECKON_OIDC_SIGN_IN_HOURS', HOUR_COUNT, HOURS.usual),
    local: setting('BECKON_LOCAL_SIGN_IN', one(...LOCAL_SIGN_IN)),
  } satisfies Record<string, Setting<unknown>>,
  ({ issuer, clientId, secret, clientAuth, name, links, local, ...more }) => {
    if (issuer === undefined) {
      if (clientId !== undefined) throw new WrongUsage(ISSUER_MISSING)
      return { provider: undefined, local }
    }
    if (clientId === undefined) throw new WrongUsage(CLIENT_MISSING)
    const auth = clientAuth ?? (secret === undefined ? 'none' : 'post')
    if (auth !== 'none' && secret === undefined) throw new WrongUsage(SECRET_MISSING)
    const settings: ProviderSettings = {
      ...more,
      issuer,
      clientId,
      clientAuth: auth,
      name: name ?? new URL(issuer).hostname,
      links: links === 'by_address',
    }
    const wrong = wrongTogether(settings)
    if (wrong) throw new WrongUsage(`BECKON_OIDC_JOIN ${wrong.must}.`)
    return { provider: { ...settings, secret: secret ?? null }, local }
  },
)

const ISSUER_MISSING = 'BECKON_OIDC_CLIENT_ID is set, but BECKON_OIDC_ISSUER is not.'
const CLIENT_MISSING = 'BECKON_OIDC_ISSUER is set, but BECKON_OIDC_CLIENT_ID is not.'
const SECRET_MISSING =
  'BECKON_OIDC_CLIENT_AUTH needs BECKON_OIDC_CLIENT_SECRET; a client without a secret is none.'

/** What does not go together; undefined if all does. */
export function wrongTogether(of: ProviderSettings): { field: string; must: string } | undefined {
  const { joins, domains, requiredGroups, ownerGroups, groups, groupsClaim } = of
  if (joins && domains.length === 0 && requiredGroups.length === 0) {
    return { field: 'joins', must: 'needs domains or required groups: else anybody could join' }
  }
  if (groupsClaim === '' && requiredGroups.length + ownerGroups.length + groups.length > 0) {
    return { field: 'groupsClaim', must: 'must name the claim that the groups are read from' }
  }
  return undefined
}

declare module '../../platform/config/config.ts' {
  interface Config {
    company: ValuesOf<typeof companySettings>
  }
}
