import { Failure } from '../../platform/failure.ts'
import type { Machine, ServiceManager, ServiceOwner } from './manager.ts'

/**
 * Whose service a command is about: root's is that of the machine. Throws `Failure` for who may not,
 * and where there is no such service.
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
