import type { Clock } from '../../platform/clock.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { paths } from '../pages/paths.ts'
import { countWords, type RowState, type SettingsRow } from '../settings-row.ts'
import type { Health } from './health.ts'

type Deps = { clock: Clock; health(workspaceId: WorkspaceId): Promise<Health> }

// The checks call push services, so a result is shown again for this long.
const FRESH_MS = 60_000
// The settings do not wait longer for the checks, which may take seconds without a network.
const WAIT_MS = 400

/** The health of the server, as it was checked in the last minute. */
export function healthRows({ clock, health }: Deps): SettingsRow[] {
  const results = new Map<WorkspaceId, Health>()

  async function check(workspaceId: WorkspaceId): Promise<Health | undefined> {
    const last = results.get(workspaceId)
    if (last && clock.now() - last.at < FRESH_MS) return last
    const checking = health(workspaceId).then((result) => {
      results.set(workspaceId, result)
      return result
    })
    const { promise: tooLong, resolve } = Promise.withResolvers<undefined>()
    const forget = clock.after(WAIT_MS, () => resolve(undefined))
    return Promise.race([checking.catch(() => undefined), tooLong]).finally(forget)
  }

  return [
    {
      group: 'server',
      to: paths.health,
      icon: 'activity',
      name: 'Health',
      needs: 'health',
      state: async ({ person }) => stateOf(await check(person.workspaceId)),
    },
  ]
}

function stateOf(health: Health | undefined): RowState {
  if (!health) return { words: 'Being checked', pending: true }
  const count = (state: 'fail' | 'warn') =>
    health.checks.filter((check) => check.state === state && !check.notYet).length
  const broken = count('fail')
  if (broken > 0) return { words: `${countWords(broken, 'link', '')} broken`, tone: 'bad' }
  const doubtful = count('warn')
  if (doubtful > 0) return { words: `${countWords(doubtful, 'link', '')} to look at`, tone: 'wait' }
  const absent = health.checks.filter((check) => check.notYet).length
  if (absent > 0) return { words: `Nothing is broken, ${absent} not set up yet` }
  return { words: 'Every link works' }
}
