import type { Provider } from '../../src/ask/company/model/provider.ts'
import { createProviderDocuments } from '../../src/ask/company/provider-documents.ts'
import { readDocument } from '../../src/ask/oauth/read-document.ts'
import { readFeed } from '../../src/ask/rota/read-feed.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { GuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'
import { type Guard, orWhy, type WayOut } from './way-out.ts'

/** What clients that sign in say of themselves, and what providers of sign-ins say. */
export function waysOfClients(guard: Guard): WayOut[] {
  return [
    {
      name: 'the document of a client',
      through: ['src/ask/oauth/read-document.ts'],
      async ask(base) {
        const read = await readDocument(guard, `${base}/client.json`)
        return read.outcome === 'read' ? { taken: true } : { taken: false, why: read.reason }
      },
    },
    {
      name: 'the calendar of a rota',
      through: ['src/ask/rota/read-feed.ts'],
      async ask(base) {
        const feed = { url: `${base}/on-call.ics`, etag: undefined, zone: 'UTC' }
        const reading = await readFeed(guard, feed, Date.now(), new AbortController().signal)
        return {
          taken: reading?.is === 'read',
          why: reading?.is === 'failed' ? reading.problem : undefined,
        }
      },
    },
    {
      name: 'the documents of a provider',
      through: ['src/ask/company/provider-documents.ts'],
      async ask(base) {
        const documents = createProviderDocuments({
          outside: guard as GuardedFetch,
          clock: systemClock,
        })
        const provider = { id: 'acme', name: 'Acme', issuer: base, clientId: 'beckon' } as Provider
        return await orWhy(documents.metadata(provider).then(() => ({ taken: true })))
      },
    },
  ]
}
