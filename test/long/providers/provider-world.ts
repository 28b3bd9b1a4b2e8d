import { session } from '../../../src/ask/accounts/model/auth-tables.ts'
import { listPeople } from '../../../src/ask/accounts/model/person-store.ts'
import { listGroupMembers, listGroups } from '../../../src/ask/groups/model/store.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import type { Jar } from './jar.ts'

export type ProviderWorld = PageWorld & {
  /** Presses the button of a provider. Resolves to the address there. */
  begin(jar: Jar, provider?: string): Promise<string>
  isIn(jar: Jar): Promise<boolean>
  /** The addresses of everybody here. */
  people(): Promise<string[]>
  /** How many are in the group `engineers`. */
  engineers(): Promise<number>
  /** As if every sign-in had been over for so long. */
  age(ms: number): Promise<void>
}

/** A whole server with a real provider in its environment, called Acme. */
export async function providerWorld(
  issuer: string,
  secret: string,
  more: Record<string, string> = {},
): Promise<ProviderWorld> {
  const world = await pageWorld({
    env: {
      ...{ BECKON_TRUST_PROXY: 'loopback', BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' },
      ...{ BECKON_OIDC_ISSUER: issuer, BECKON_OIDC_CLIENT_ID: 'beckon', BECKON_OIDC_NAME: 'Acme' },
      ...{ BECKON_OIDC_CLIENT_SECRET: secret, BECKON_OIDC_CLIENT_AUTH: 'basic' },
      ...{ BECKON_OIDC_SCOPES: 'groups', BECKON_OIDC_GROUPS_CLAIM: 'groups' },
      ...{ BECKON_OIDC_DOMAINS: 'example.com', BECKON_OIDC_JOIN: 'on' },
      ...{ BECKON_OIDC_GROUPS: 'engineers', BECKON_OIDC_LINK: 'by_address' },
      ...more,
    },
  })
  const { db, workspaceId } = world
  let callers = 0
  return {
    ...world,
    async begin(jar, provider = 'acme') {
      const headers = {
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': `10.3.${++callers >> 8}.${callers & 255}`,
      }
      const address = `${world.app.baseUrl}/sign-in/with/${provider}`
      const begin = await jar.fetch(address, { headers })
      return begin.headers.get('location') ?? ''
    },
    isIn: async (jar) => (await jar.fetch(`${world.app.baseUrl}/settings`)).status === 200,
    people: async () => (await listPeople(db.read, workspaceId)).map(({ email }) => email).sort(),
    async engineers() {
      const group = (await listGroups(db.read, workspaceId)).find((one) => one.name === 'engineers')
      const members = await listGroupMembers(db.read, workspaceId)
      return members.filter(({ groupId }) => groupId === group?.id).length
    },
    async age(ms) {
      const provenUntil = new Date(Date.now() - ms)
      await db.write((tx) => tx.update(session).set({ provenUntil }))
    },
  }
}
