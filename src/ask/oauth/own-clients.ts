import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import { cleanLine } from '../../platform/text.ts'
import { wrongName } from '../../platform/wrong-name.ts'
import { must, type Person } from '../accounts/model/person.ts'
import { listConnectionIds, revoke } from '../accounts/model/token-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { NAME_MAX, type OAuthClient, readMetadata } from './model/client.ts'
import { dropClient, findStoredClient, listMadeClients, putClient } from './model/client-store.ts'
import { makeSecret } from './model/secret.ts'

type Deps = { db: Db; clock: Clock }

// Each is made by hand; a list that nobody could read is not needed.
const CLIENTS_MAX = 100

/** The clients that owners of the workspace set up, newest first. */
export function readOwnClients({ db }: Pick<Deps, 'db'>, person: Person): Promise<OAuthClient[]> {
  must(person, 'clients')
  return listMadeClients(db.read, person.workspaceId)
}

/**
 * Makes a client known by hand, for people of this workspace; the secret is in the result and
 * nowhere else. Throws `forbidden`, `invalid_input`, and `conflict` when there are too many.
 */
export async function makeClient(
  { db, clock }: Deps,
  by: Person,
  input: { name: string; redirectUris: string[]; keepsSecret: boolean },
): Promise<{ client: OAuthClient; secret: string | undefined }> {
  must(by, 'clients')
  const name = cleanLine(input.name)
  const wrong = wrongName(name, NAME_MAX)
  if (wrong.length > 0) throw wrongFields(wrong)
  const metadata = readMetadata({
    client_name: name,
    redirect_uris: input.redirectUris,
    token_endpoint_auth_method: input.keepsSecret ? 'client_secret_post' : 'none',
    grant_types: ['authorization_code', 'refresh_token'],
  })
  if ('error' in metadata) {
    const must = `must be addresses of the client: ${metadata.description}`
    throw wrongFields([{ field: 'redirectUris', must }])
  }
  const now = clock.now()
  const secret = input.keepsSecret ? makeSecret('client') : undefined
  const { workspaceId, id: createdBy } = by
  const client: OAuthClient = {
    ...metadata,
    id: newId('app', now),
    kind: 'made',
    secretHash: secret?.hash ?? null,
    workspaceId,
    createdBy,
    createdAt: now,
    usedAt: null,
    freshUntil: null,
  }
  const stamp = auditStamp(now)
  await db.write(async (tx) => {
    if ((await listMadeClients(tx, workspaceId)).length >= CLIENTS_MAX) throw tooMany()
    await putClient(tx, client)
    const subject = { subjectId: client.id, subjectName: client.name }
    await recordChange(tx, stamp, {
      workspaceId,
      kind: 'client.added',
      personId: createdBy,
      ...subject,
      detail: client.redirectUris.join(' '),
    })
  })
  return { client, secret: secret?.text }
}

/**
 * Removes a client that was set up by hand, and revokes it for everybody who allowed it. Throws
 * `forbidden`, and `not_found` for one of another workspace.
 */
export async function removeClient({ db, clock }: Deps, by: Person, id: string): Promise<void> {
  must(by, 'clients')
  const { workspaceId, id: personId } = by
  const now = clock.now()
  const stamp = auditStamp(now)
  await db.write(async (tx) => {
    const client = await findStoredClient(tx, id)
    if (client?.kind !== 'made' || client.workspaceId !== workspaceId) {
      throw new Failure('not_found', 'There is no such client here; nothing was removed.')
    }
    for (const one of await listConnectionIds(tx, { workspaceId, clientId: id })) {
      await revoke(tx, one, now)
    }
    await dropClient(tx, id)
    const subject = { subjectId: id, subjectName: client.name }
    await recordChange(tx, stamp, { workspaceId, kind: 'client.removed', personId, ...subject })
  })
}

function tooMany(): Failure {
  return new Failure(
    'conflict',
    `There are ${CLIENTS_MAX} clients already, the most there may be; nothing was added. Remove one first.`,
  )
}
