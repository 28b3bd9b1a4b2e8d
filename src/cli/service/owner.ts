import { Failure } from '../../platform/failure.ts'
import type { Machine, ServiceManager, ServiceOwner } from './manager.ts'

/**
 * Returns the owner that a command is about: the machine, which is root's, or the user. Throws
 * `Failure` for users who may not, and if there is no such service.
 */
export function ownerOf(
  { uid, user }: Machine,
  { title, owners }: ServiceManager,
  { system, way }: { system: boolean | undefined; way: string },
): ServiceOwner {
  if (!system && uid !== 0) return 'user'
  if (!owners.includes('system')) {
    throw new Failure(
      'conflict',
      `With ${title} Beckon is a service of the user who is signed in: run beckon service ${way} as that user, without --system.`,
    )
  }
  if (uid === 0) return 'system'
  throw new Failure(
    'forbidden',
    `Only root may change services of the whole machine, and this is ${user}: sudo beckon service ${way} --system.`,
  )
}
