import {
  type ClientFile,
  clientFilePath,
  writeClientFile,
} from '../../platform/config/client-file.ts'
import { Failure } from '../../platform/failure.ts'
import { type Place, shownPath } from '../client-files/client-setup.ts'
import { readable } from '../client-files/text-file.ts'
import { rememberFiles } from './before.ts'
import { type Ledger, ledgerPath, writeLedger } from './ledger.ts'
import { type ClientPlan, carryOut } from './plan.ts'

/**
 * Sets the clients up, and stores the address and the token if they are given. A client that fails
 * keeps its files; if all fail, or what setup itself keeps cannot be written, every file is as it
 * was before. Throws `Failure` for the latter.
 */
export function writeAll(
  plans: readonly ClientPlan[],
  place: Place,
  ledger: Ledger,
  clientFile?: ClientFile,
): ClientPlan[] {
  const paths = plans.flatMap(({ outcomes }) => outcomes.map(({ path }) => path))
  return orNothing(place, paths, (restore) => {
    if (clientFile) writeClientFile(clientFile, place.env)
    const done = plans.map((plan) => carryOut(plan, 'write', ledger))
    writeLedger(place.env, ledger)
    if (!done.some(isWhole)) restore()
    return done
  })
}

/** Does `write`, which changes these files and what setup keeps, or puts all of them back. */
export function orNothing<Result>(
  place: Place,
  paths: readonly string[],
  write: (restore: () => void) => Result,
): Result {
  const own = [clientFilePath(place.env), ledgerPath(place.env)]
  const before = rememberFiles([...paths, ...own])
  try {
    return write(before.restore)
  } catch (error) {
    before.restore()
    const why = readable(error)
    if (why === error) throw error
    const folders = own.map((path) => shownPath(place, path)).join(' or ')
    throw new Failure(
      'conflict',
      `${folders} cannot be written: ${(why as Error).message}. Nothing was changed.`,
    )
  }
}

/** Removes our entries, and remembers what is left even if one of the clients fails. */
export function undoAll(plans: readonly ClientPlan[], place: Place, ledger: Ledger): ClientPlan[] {
  try {
    return plans.map((plan) => carryOut(plan, 'undo', ledger))
  } finally {
    keepLedger(place, ledger)
  }
}

/** Throws `Failure` if it cannot be written. */
function keepLedger(place: Place, ledger: Ledger): void {
  try {
    writeLedger(place.env, ledger)
  } catch (error) {
    const why = readable(error)
    if (why === error) throw error
    throw new Failure(
      'conflict',
      `${shownPath(place, ledgerPath(place.env))} cannot be written: ${(why as Error).message}. The entries of beckon were removed all the same.`,
    )
  }
}

/** Returns true if every file of the client is as it should be. */
export function isWhole({ outcomes }: ClientPlan): boolean {
  return outcomes.every(({ is }) => is !== 'broken')
}
