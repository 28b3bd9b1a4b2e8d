import { Elysia } from 'elysia'
import type { Limits } from '../../platform/http/limits.ts'
import { EXPOSITION, type Metrics } from '../../platform/metrics.ts'
import type { Authentication } from '../accounts/authentication.ts'

type MetricsDeps = {
  metrics: Metrics
  authentication: Pick<Authentication, 'agentFrom'>
  limits: Pick<Limits, 'token'>
  /** Whether the request began on this machine (`fromThisMachine`). */
  isLocal(request: Request): boolean
}

/** `/metrics`: for a token, and for this machine itself. */
export function metricsRoutes({ metrics, authentication, limits, isLocal }: MetricsDeps) {
  return new Elysia().get('/metrics', async ({ request }) => {
    if (!isLocal(request)) limits.token.take((await authentication.agentFrom(request)).tokenId)
    return new Response(await metrics.text(), {
      headers: { 'content-type': EXPOSITION, 'cache-control': 'no-store' },
    })
  })
}
