import { Elysia } from 'elysia'
import { requestAddress } from '../../../platform/http/request.ts'
import { GATE_PATH } from '../../wire/gate-url.ts'
import type { HttpGates } from './handler.ts'

/** The route of the gates. They read the body themselves, so that it reaches their servers as it came. */
export function httpGateRoute({ fetch }: Pick<HttpGates, 'fetch'>) {
  return new Elysia().all(
    `${GATE_PATH}/:name`,
    ({ request, server }) => fetch(request, nameIn(request.url), server ?? undefined),
    { parse: 'none' },
  )
}

function nameIn(url: string): string {
  const last = requestAddress(url).path.split('/')[2] ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
