import { Type } from '@sinclair/typebox'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { loadServerKey } from '../../platform/db/server-key.ts'
import { publicPem } from '../../platform/signing/ed25519.ts'
import { type Callers, openRoute, type Route, signedIn, withDeps } from '../rest/route.ts'
import { Receipt } from './model/receipt.ts'
import { readReceipt } from './receipts.ts'

type Deps = { db: Db; clock: Clock; baseUrl: string } & Pick<Callers, 'authentication' | 'limits'>

const getReceipt = openRoute(
  {
    method: 'GET',
    path: '/receipts/:id',
    summary: 'The signed decision on a question (its id): for the token that asked, or signed in.',
    result: Receipt,
    problems: ['unauthenticated', 'not_found', 'conflict', 'rate_limited'],
  },
  async (deps: Deps, { params, request }) => {
    const id = params.id ?? ''
    if (!request.headers.has('authorization')) {
      return readReceipt(deps, await signedIn(deps.authentication, request), id)
    }
    const { workspaceId, tokenId } = await deps.authentication.agentFrom(request)
    deps.limits.token.take(tokenId)
    return readReceipt(deps, { workspaceId, tokenId }, id)
  },
)

const getKey = openRoute(
  {
    method: 'GET',
    path: '/receipts/key',
    summary: 'The public key that signs receipts and the audit trail.',
    input: Type.Object({}, { additionalProperties: false }),
    problems: ['invalid_input'],
    result: Type.Object({
      alg: Type.Literal('Ed25519'),
      kid: Type.String({ description: 'Its thumbprint (RFC 7638).' }),
      publicKey: Type.String({ description: 'The key as PEM.' }),
    }),
  },
  async (deps: Deps) => {
    const key = await loadServerKey(deps)
    return { alg: 'Ed25519' as const, kid: key.kid, publicKey: publicPem(key) }
  },
)

/** Receipts: they prove a decision to others. */
export function receiptRoutes(deps: Deps): Route[] {
  return withDeps(deps, [getKey, getReceipt])
}
