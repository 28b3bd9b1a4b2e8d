import { WrongUsage } from '../../platform/failure.ts'
import type { Place } from '../client-files/client-setup.ts'
import type { ClientPlan } from './plan.ts'

/** Throws `WrongUsage` if a name was given that no client has, or that no jail can hold. */
export function mustHaveServers(plans: readonly ClientPlan[], place: Place): void {
  const [plan] = plans
  const { add = [], drop = [] } = plan?.request.jailServers ?? {}
  const names = [...add, ...drop]
  if (names.length === 0) return
  if (place.project)
    throw new WrongUsage('--jail-server changes your own files, not those of a project.')
  if (place.platform !== 'linux') throw new WrongUsage('MCP servers can be held on Linux alone.')
  const twice = add.find((name) => drop.includes(name))
  if (twice !== undefined) throw new WrongUsage(`"${twice}" cannot go into the jail and out of it.`)
  const all = plans.flatMap(({ servers }) => servers)
  const can = [...new Set(all.filter(({ is }) => is !== 'elsewhere').map(({ name }) => name))]
  const missing = names.find((name) => !can.includes(name))
  if (missing === undefined) return
  if (all.some(({ name }) => name === missing))
    throw new WrongUsage(
      `"${missing}" is no program that the client starts, so no jail can hold it.`,
    )
  const hint = can.length > 0 ? `; those that one starts are: ${can.join(', ')}.` : '.'
  throw new WrongUsage(`No client here has an MCP server "${missing}"${hint}`)
}
