/** @jsxImportSource preact */

import { GRANT_WORDS, type Grant } from '../../grants/model/grant.ts'
import { MarkedCommand } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import { AtClock } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import type { AgentSessionId } from '../../sessions/model/session.ts'

type Props = { grants: readonly Grant[]; session: AgentSessionId; moment: Moment }

/** Lists the grants of one session, each with the way to take it back. */
export function SessionGrants({ grants, session, moment }: Props) {
  return (
    <section
      class="part"
      id="allowed"
      data-live="whole"
      data-version={grants.map(({ id, uses }) => [id, uses]).join()}
      hidden={grants.length === 0}
    >
      <h2>Allowed for now</h2>
      <ul class="bullets">
        {grants.map(({ id, action, length, uses, expiresAt }) => (
          <li>
            <code>
              <MarkedCommand text={action} shell />
            </code>{' '}
            {GRANT_WORDS[length]}, until <AtClock at={expiresAt} moment={moment} />
            {uses > 0 && `, used ${uses === 1 ? 'once' : `${uses} times`}`}.{' '}
            <form method="post" action={href.revokeGrant(id)}>
              <input type="hidden" name="session" value={session} />
              <button type="submit" class="small bad" aria-label={`End ${action}`}>
                End
              </button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  )
}
