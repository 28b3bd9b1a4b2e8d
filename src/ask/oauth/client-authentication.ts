import type { Read } from '../../platform/db/database.ts'
import type { Client } from './model/client.ts'
import { findStoredClient } from './model/client-store.ts'
import { hashOf } from './model/secret.ts'

/**
 * The client that sends a form to the token or revocation endpoint (RFC 6749, 2.3): a public one says
 * its id, any other proves it by its secret, in the header or in the form. Undefined without a proof.
 */
export async function clientFrom(
  read: Read,
  request: Request,
  form: URLSearchParams,
): Promise<Client | undefined> {
  const inHeader = basicOf(request.headers.get('authorization'))
  const id = inHeader?.id ?? form.get('client_id') ?? ''
  // A request that names two clients is refused.
  if (inHeader && form.has('client_id') && form.get('client_id') !== id) return undefined
  const client = id === '' ? undefined : await findStoredClient(read, id)
  if (!client) return undefined
  if (client.authMethod === 'none') return client
  const secret = inHeader?.secret ?? form.get('client_secret') ?? ''
  const hash = hashOf('client', secret)
  return hash !== undefined && hash === client.secretHash ? client : undefined
}

/** Id and secret are form-encoded before they are put together (RFC 6749, 2.3.1). */
function basicOf(header: string | null): { id: string; secret: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(header ?? '')?.[1]
  if (!encoded) return undefined
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  try {
    return { id: decodeURIComponent(id), secret: decodeURIComponent(secret) }
  } catch {
    return undefined
  }
}
