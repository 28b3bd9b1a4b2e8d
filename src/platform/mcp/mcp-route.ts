import { Elysia } from 'elysia'
import type { IdleTimer } from './offer.ts'

type Endpoint = { fetch(request: Request, server?: IdleTimer): Promise<Response> }

/** An MCP endpoint at `path`. It reads the body itself, so that its limits and errors are its own. */
export function mcpRoute(path: string, { fetch }: Endpoint) {
  return new Elysia().all(path, ({ request, server }) => fetch(request, server ?? undefined), {
    parse: 'none',
  })
}
