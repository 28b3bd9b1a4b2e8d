import { Failure } from '../kernel/failure.ts'
import type { Person } from './person.ts'

/** Throws `forbidden` for whoever does not own the workspace. */
export function ownerOnly({ role }: Person): void {
  if (role === 'owner') return
  throw new Failure('forbidden', 'Only an owner of this workspace may do that; ask one of them.')
}
