import { counted, type PersonGone } from '../accounts/model/person-gone.ts'
import { endContractsOf, listRatifiedBy } from '../scopes/model/gone-store.ts'

/** Scopes that they agreed to end: hooks learn it with their next report. */
export const SCOPES_OF_GONE: PersonGone = {
  columns: { 'contracts.ratified_by': { stays: 'who agreed to a scope that is over' } },
  async end(tx, removal) {
    await endContractsOf(tx, removal, removal.at)
    return undefined
  },
  async list(read, whose, now) {
    const { length } = await listRatifiedBy(read, whose, now)
    if (length === 0) return []
    return [
      `${counted(length, 'scope')}: nothing bounds the session until the next one is agreed to.`,
    ]
  },
}
