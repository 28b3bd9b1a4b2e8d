import type { PersonGone } from './accounts/model/person-gone.ts'
import { VOTES_OF_GONE } from './answering/person-gone.ts'
import { CHAT_ACCOUNTS_OF_GONE } from './chat-accounts/person-gone.ts'
import { CLAIMS_OF_GONE } from './claims/person-gone.ts'
import { ACCOUNTS_OF_GONE } from './company/person-gone.ts'
import { DELIVERIES_OF_GONE } from './delivery/person-gone.ts'
import { devicesOfGone } from './devices/person-gone.ts'
import { DIRECTORY_OF_GONE } from './directory/person-gone.ts'
import { TURNS_OF_GONE } from './fail-over/person-gone.ts'
import { GATES_OF_GONE } from './gates/person-gone.ts'
import { GRANTS_OF_GONE } from './grants/person-gone.ts'
import { GROUPS_OF_GONE } from './groups/person-gone.ts'
import { CLIENTS_OF_GONE } from './oauth/person-gone.ts'
import { ACCOUNT_OF_GONE } from './people/person-gone.ts'
import { POLICY_OF_GONE } from './policy/person-gone.ts'
import { SCOPES_OF_GONE } from './proposals/person-gone.ts'
import { PROPOSALS_OF_GONE } from './protect/person-gone.ts'
import type { EndQuestionDeps } from './questions/end-question.ts'
import { questionsOfGone } from './questions/person-gone.ts'
import { RECEIPTS_OF_GONE } from './receipts/person-gone.ts'
import { ROTA_OF_GONE } from './rota/person-gone.ts'
import type { DeviceChannel } from './subscribers/model/connect.ts'
import { TRAIL_OF_GONE } from './trail/person-gone.ts'
import { INSTRUCTIONS_OF_GONE } from './turns/person-gone.ts'
import { VISIBILITY_OF_GONE } from './visibility/person-gone.ts'
import { WATCHES_OF_GONE } from './watches/person-gone.ts'

type Deps = Pick<EndQuestionDeps, 'onEnded' | 'counts'> & { channels: readonly DeviceChannel[] }

/**
 * Lists how everything that somebody can have made is treated when they are removed from a
 * workspace. What concerns others comes first, because the form that removes somebody lists it in
 * this order.
 */
export function personGone({ channels, ...ending }: Deps): readonly PersonGone[] {
  return [
    POLICY_OF_GONE,
    GATES_OF_GONE,
    GROUPS_OF_GONE,
    ROTA_OF_GONE,
    questionsOfGone(ending),
    VOTES_OF_GONE,
    VISIBILITY_OF_GONE,
    PROPOSALS_OF_GONE,
    GRANTS_OF_GONE,
    TURNS_OF_GONE,
    CLAIMS_OF_GONE,
    INSTRUCTIONS_OF_GONE,
    CHAT_ACCOUNTS_OF_GONE,
    SCOPES_OF_GONE,
    CLIENTS_OF_GONE,
    WATCHES_OF_GONE,
    devicesOfGone(channels),
    DELIVERIES_OF_GONE,
    RECEIPTS_OF_GONE,
    TRAIL_OF_GONE,
    ACCOUNTS_OF_GONE,
    DIRECTORY_OF_GONE,
    ACCOUNT_OF_GONE,
  ]
}
