import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { OpenDb } from '../../platform/db/database.ts'
import { createBucket, type Limits } from '../../platform/http/limits.ts'
import type { Log } from '../../platform/log.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { Feature } from '../feature.ts'
import { paths } from '../pages/paths.ts'
import { countWords } from '../settings-row.ts'
import type { Authentication } from '../sign-in/authentication.ts'
import type { CompanyAccess } from '../sign-in/company-access.ts'
import type { AdmitDeps } from './admit.ts'
import type { ProviderDocuments } from './provider-documents.ts'
import { createProviderDocuments } from './provider-documents.ts'
import { companyAccess, providersOf } from './providers.ts'

type Deps = {
  config: Config
  db: OpenDb
  clock: Clock
  log: Log
  limits: Limits
  outside: GuardedFetch
  addressOf(request: Request): string
}

/** What the sign-in of people asks of the providers of companies. */
export function openCompany({ config, db, clock, outside }: Deps): {
  access: CompanyAccess
  documents: ProviderDocuments
} {
  const documents = createProviderDocuments({ outside, clock })
  const access = companyAccess({ read: db.read, company: config.company, clock, documents })
  return { access, documents }
}

// Enough for repeated taps, and too few to fill the disk.
const STARTS = {
  burst: 30,
  perMinute: 30,
  sentence: 'Too many sign-ins were begun from this address.',
}

/** People sign in through the provider of their company. */
export function company(
  deps: Deps & { authentication: Authentication; documents: ProviderDocuments } & Pick<
      AdmitDeps,
      'isOfDirectory' | 'findByExternalId'
    >,
): Feature {
  const starts = createBucket(deps.clock, STARTS)
  return {
    pages: async () => (await import('./pages/pages.ts')).companyPages({ ...deps, starts }),
    others: async () => [
      { routes: (await import('./log-out.ts')).logOutRoutes(deps), service: 'sign_in_provider' },
    ],
    settings: async () => [
      {
        group: 'people',
        to: paths.company,
        icon: 'key',
        name: 'Company sign-in',
        async state({ person }) {
          const { read } = deps.db
          const own = { read, company: deps.config.company }
          const providers = await providersOf(own, person.workspaceId)
          return { words: countWords(providers.length, 'provider', 'Not set up') }
        },
      },
    ],
  }
}
