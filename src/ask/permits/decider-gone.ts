import type { Read } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { findRole } from '../accounts/model/person-store.ts'
import { isTakenBack } from '../grants/model/store.ts'
import type { Question } from '../questions/model/question.ts'
import { findSubscriber } from '../subscribers/model/store.ts'

/**
 * Throws `conflict` if whoever said yes is no longer in the workspace, if the yes came from a device
 * that was removed since, or from a grant that was taken back: such a yes begins nothing.
 */
export async function requireDecider(read: Read, question: Question): Promise<void> {
  const { workspaceId, answeredBy, answeredOn } = question
  if (answeredBy !== undefined && !(await findRole(read, workspaceId, answeredBy))) {
    throw goneFailure('The person who said yes was removed since')
  }
  // The devices of somebody who is removed end with them; a channel of everybody stays.
  const device = answeredOn && (await findSubscriber(read, workspaceId, answeredOn.id))
  if (answeredOn && !device) {
    throw goneFailure(`The device that the yes came from (“${answeredOn.label}”) was removed since`)
  }
  if (await isTakenBack(read, question))
    throw goneFailure('What allowed this call was taken back since')
}

function goneFailure(what: string): Failure {
  return new Failure('conflict', `${what}, so it permits nothing. Ask again.`)
}
