import { cleanLine, isBlank } from '../../../platform/text.ts'
import { cleanEmail, wrongEmail } from '../../accounts/model/person-rules.ts'
import { scimError } from './scim-error.ts'

/** What is kept of a user, as the directory wrote it; the rest is dropped without an error. */
export type ScimUser = {
  userName: string
  externalId?: string | undefined
  displayName?: string | undefined
  name?: { formatted?: string; givenName?: string; familyName?: string } | undefined
  emails?: { value: string; type?: string; primary?: boolean }[] | undefined
}

/** A user as a request changes it; `active` is undefined if the request does not say. */
export type UserChange = { user: ScimUser; active: boolean | undefined }

type Json = Record<string, unknown>
export type Operation = {
  op: 'add' | 'replace' | 'remove'
  path: string | undefined
  value: unknown
}

const TEXT_MAX = 500
const EMAILS_MAX = 20
const NAME_PARTS = ['formatted', 'givenName', 'familyName'] as const

/** Reads the user of a POST or PUT; fields that are missing stay as in `before`. */
export function readUser(body: unknown, before?: ScimUser): UserChange {
  const change: UserChange = { user: { ...(before ?? { userName: '' }) }, active: undefined }
  for (const [key, value] of Object.entries(objectOf(body))) setAttribute(change, key, value)
  return checked(change)
}

/** Applies the operations of a PATCH. An operation without a path has one for each key. */
export function patchUser(before: ScimUser, operations: readonly Operation[]): UserChange {
  const change: UserChange = { user: { ...before }, active: undefined }
  for (const { op, path, value } of operations) {
    const isRemoval = op === 'remove'
    if (path !== undefined) setAttribute(change, path, isRemoval ? undefined : value)
    else if (!isRemoval) {
      for (const [key, one] of Object.entries(objectOf(value))) setAttribute(change, key, one)
    }
  }
  return checked(change)
}

function checked(change: UserChange): UserChange {
  if (change.user.userName === '') throw scimError(400, 'userName is needed.', 'invalidValue')
  return change
}

/** Sets one attribute by its path; one that is not kept is dropped. */
function setAttribute(change: UserChange, path: string, value: unknown): void {
  const { user } = change
  const key = path.replace(/^urn:ietf:params:scim:schemas:core:2\.0:User:/i, '').toLowerCase()
  switch (key) {
    case 'active':
      change.active = booleanOf(value)
      return
    case 'username':
      user.userName = textOf('userName', value) ?? ''
      return
    case 'externalid':
      user.externalId = textOf('externalId', value)
      return
    case 'displayname':
      user.displayName = textOf('displayName', value)
      return
    case 'name':
      user.name = { ...user.name, ...nameOf(value) }
      return
    case 'emails':
      user.emails = emailsOf(value)
      return
  }
  const part = NAME_PARTS.find((one) => key === `name.${one.toLowerCase()}`)
  const text = part && textOf(part, value)
  if (part) user.name = { ...user.name, ...(text === undefined ? {} : { [part]: text }) }
  else if (/^emails\[.*\]\.value$/.test(key)) user.emails = withEmail(user.emails, key, value)
}

function booleanOf(value: unknown): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  if (word === 'true' || word === 'false') return word === 'true'
  throw scimError(400, 'active must be true or false.', 'invalidValue')
}

export function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || value.length > TEXT_MAX) {
    throw scimError(
      400,
      `${name} must be a text of at most ${TEXT_MAX} characters.`,
      'invalidValue',
    )
  }
  return cleanLine(value)
}

function nameOf(value: unknown): ScimUser['name'] {
  const parts = objectOf(value ?? {})
  const entries = NAME_PARTS.map((part) => [part, textOf(part, parts[part])] as const)
  return Object.fromEntries(entries.filter(([, text]) => text !== undefined))
}

function emailsOf(value: unknown): ScimUser['emails'] {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value) || value.length > EMAILS_MAX) {
    throw scimError(400, `emails must be a list of at most ${EMAILS_MAX}.`, 'invalidValue')
  }
  return value.map((one) => {
    const { value: address, type, primary } = objectOf(one)
    const kind = textOf('type', type)
    return {
      value: textOf('emails.value', address) ?? '',
      ...(kind === undefined ? {} : { type: kind }),
      ...(primary === true ? { primary } : {}),
    }
  })
}

function withEmail(emails: ScimUser['emails'] = [], key: string, value: unknown) {
  const [, type = 'work'] = /type eq "([^"]*)"/.exec(key) ?? []
  const address = textOf('emails.value', value)
  const others = emails.filter((one) => one.type !== type)
  return address === undefined ? others : [...others, { value: address, type }]
}

export function objectOf(value: unknown): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  throw scimError(400, 'A JSON object is needed here.', 'invalidSyntax')
}

/** The name of the person, from whatever the directory wrote. */
export function nameOfUser({ displayName, name, userName }: ScimUser): string {
  const parts = [name?.givenName, name?.familyName].filter(Boolean).join(' ')
  const visible = [displayName, name?.formatted, parts].find((one) => one && !isBlank(one))
  return (visible ?? userName).slice(0, 100)
}

/** The address of the person; undefined if the directory wrote none. */
export function emailOfUser({ emails = [], userName }: ScimUser): string | undefined {
  const chosen =
    emails.find(({ primary }) => primary) ?? emails.find(({ type }) => type === 'work') ?? emails[0]
  const email = cleanEmail(chosen?.value || userName)
  return wrongEmail(email).length === 0 ? email : undefined
}
