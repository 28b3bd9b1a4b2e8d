/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import type { Check } from '../../check.ts'
import { CheckRow } from '../../pages/check-row.tsx'
import { checkProvider, REDIRECT } from '../check-provider.ts'
import { readLastSignIn } from '../last-sign-in.ts'
import type { Provider } from '../model/provider.ts'
import type { SignInWithDeps } from '../sign-in-with.ts'

/** Asks the provider, as `beckon doctor --sign-in` does. */
export async function readChecks(deps: SignInWithDeps, provider: Provider): Promise<Check[]> {
  const last = await readLastSignIn(deps.db.read, provider.id)
  const checks = await checkProvider({ ...deps, baseUrl: deps.config.baseUrl }, provider, last)
  // The page says the redirect address anyway.
  return checks.filter(({ name }) => name !== REDIRECT)
}

/** Whether people can sign in with it, asked of the provider when somebody wants to know. */
export function Checks({ checks }: { checks: Check[] | undefined }) {
  return (
    <section class="part">
      <h2>Whether it works</h2>
      {checks && (
        <ul class="things health">
          {checks.map((one) => (
            <CheckRow check={one} />
          ))}
        </ul>
      )}
      <form method="get" class="more">
        <button type="submit" name="check" value="yes">
          <Icon name="activity" />
          {checks ? 'Check again' : 'Check it now'}
        </button>
      </form>
    </section>
  )
}
