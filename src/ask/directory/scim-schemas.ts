import { USER } from './scim-users.ts'

export const PAGE_MAX = 200
const CORE = 'urn:ietf:params:scim:schemas:core:2.0'

/** What this server can do (RFC 7643, 5). */
export function providerConfig() {
  const no = { supported: false }
  return {
    schemas: [`${CORE}:ServiceProviderConfig`],
    patch: { supported: true },
    // Not supported; one client takes the number as the size of its pieces all the same.
    bulk: { supported: false, maxOperations: 100, maxPayloadSize: 1_000_000 },
    filter: { supported: true, maxResults: PAGE_MAX },
    ...{ changePassword: no, sort: no, etag: no },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token that an owner makes under Settings, Directory.',
      },
    ],
  }
}

export function resourceTypes(base: string) {
  return ['User', 'Group'].map((name) => ({
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema: `${CORE}:${name}`,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }))
}

const text = (name: string, more: object = {}) => ({
  ...{ name, type: 'string', multiValued: false, required: false, caseExact: false },
  ...{ mutability: 'readWrite', returned: 'default', uniqueness: 'none' },
  ...more,
})

export function schemas() {
  const user = [
    text('userName', { required: true, uniqueness: 'server' }),
    ...[text('externalId', { caseExact: true }), text('displayName')],
    text('active', { type: 'boolean' }),
    text('name', {
      type: 'complex',
      subAttributes: ['formatted', 'givenName', 'familyName'].map((one) => text(one)),
    }),
    text('emails', {
      ...{ type: 'complex', multiValued: true },
      subAttributes: [text('value'), text('type'), text('primary', { type: 'boolean' })],
    }),
  ]
  const group = [
    ...[text('displayName', { required: true }), text('externalId', { caseExact: true })],
    text('members', { type: 'complex', multiValued: true, subAttributes: [text('value')] }),
  ]
  const schema = (id: string, name: string, attributes: object[]) => ({
    ...{ schemas: [`${CORE}:Schema`], id, name, attributes },
  })
  return [schema(USER, 'User', user), schema(`${CORE}:Group`, 'Group', group)]
}
