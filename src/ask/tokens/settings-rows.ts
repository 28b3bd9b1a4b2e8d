import type { Db } from '../../platform/db/database.ts'
import { isForNobody } from '../accounts/model/agent.ts'
import { paths } from '../pages/paths.ts'
import { countWords, type SettingsRow } from '../settings-row.ts'
import { readTokens, seesAll } from './agent-tokens.ts'

const NONE = 'None: no agent can ask yet'

/** The tokens that the person may see. */
export function tokenRows(deps: { db: Db }): SettingsRow[] {
  return [
    {
      group: 'agents',
      to: paths.tokens,
      icon: 'key',
      name: 'Agent tokens',
      async state({ person }) {
        const all = await readTokens(deps, person)
        const tokens = all.filter((token) => token.revokedAt === null && !isForNobody(token))
        const used = tokens.filter(({ lastUsedAt }) => lastUsedAt !== null).length
        const words = countWords(tokens.length, 'token', seesAll(person) ? NONE : 'None of yours')
        if (used === tokens.length) return { words }
        return { words: `${words}, ${used === 0 ? 'none' : used} in use` }
      },
    },
  ]
}
