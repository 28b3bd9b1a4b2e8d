import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Read } from '../../platform/db/database.ts'
import { readSetting } from '../../platform/db/settings-store.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { listWorkspaces } from '../accounts/model/workspace-store.ts'
import { type CompanyAccess, LOCAL_SIGN_IN, type LocalSignIn } from '../sign-in/company-access.ts'
import { GRACE_MS, type Provider, slugOf } from './model/provider.ts'
import { findProvider, listProviders } from './model/provider-store.ts'
import type { ProviderDocuments } from './provider-documents.ts'

/** The setting of owners; the environment overrides it. */
export const LOCAL_SETTING = 'local_sign_in'

type Company = Config['company']
type Deps = { read: Read; company: Company }

/** Every provider: the one in the environment, then those that owners have set up. */
export async function readProviders({ read, company }: Deps): Promise<Provider[]> {
  const fixed = await readFixed({ read, company })
  const stored = await listProviders(read)
  return fixed ? [fixed, ...stored.filter(({ id }) => id !== fixed.id)] : stored
}

/** The providers of a workspace. */
export async function providersOf(deps: Deps, workspaceId: WorkspaceId): Promise<Provider[]> {
  return (await readProviders(deps)).filter((one) => one.workspaceId === workspaceId)
}

export async function readProvider(deps: Deps, id: string): Promise<Provider | undefined> {
  const fixed = await readFixed(deps)
  return fixed?.id === id ? fixed : await findProvider(deps.read, id)
}

/** The provider in the environment belongs to the first workspace, once there is one. */
async function readFixed({ read, company: { provider } }: Deps): Promise<Provider | undefined> {
  const [home] = provider ? await listWorkspaces(read) : []
  if (!provider || !home) return undefined
  return { ...provider, id: slugOf(provider.name), workspaceId: home.id, isFixed: true }
}

/** Who signs in with a password or passkey: by the environment, or by what owners set. */
export async function readLocalSignIn({ read, company }: Deps): Promise<LocalSignIn> {
  if (company.local) return company.local
  const value = await readSetting(read, LOCAL_SETTING)
  return LOCAL_SIGN_IN.find((one) => one === value) ?? 'everybody'
}

type AccessDeps = Deps & { clock: Clock; documents: ProviderDocuments }

/** What the sign-in of people asks of this feature. */
export function companyAccess(deps: AccessDeps): CompanyAccess {
  return {
    localSignIn: () => readLocalSignIn(deps),
    ways: async () => (await readProviders(deps)).map(({ id, name }) => ({ id, name })),
    async isExcused({ provider: id, until }) {
      if (deps.clock.now() > until + GRACE_MS) return false
      const provider = await readProvider(deps, id)
      return provider !== undefined && (await deps.documents.isDown(provider))
    },
  }
}
