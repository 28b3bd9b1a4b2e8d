import type { AuthoredTool } from '../../../../src/catalog/records/authored.ts'
import { createGuardedFetch } from '../../../../src/platform/outgoing/guarded-fetch.ts'

export const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const PAYEE = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'

/** An offer in the words of version 2. */
export const offerV2 = (own: Record<string, unknown> = {}) => ({
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '10000',
  asset: BASE_USDC,
  payTo: PAYEE,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
  ...own,
})

/** The same in the words of version 1. */
export const offerV1 = (own: Record<string, unknown> = {}) => ({
  scheme: 'exact',
  network: 'base',
  maxAmountRequired: '10000',
  resource: 'https://vendor.example/paid',
  description: 'Weather of a place',
  mimeType: 'application/json',
  outputSchema: null,
  payTo: PAYEE,
  maxTimeoutSeconds: 60,
  asset: BASE_USDC,
  extra: { name: 'USD Coin', version: '2' },
  ...own,
})

export const demandV1 = (accepts: unknown[], own: Record<string, unknown> = {}) =>
  Response.json(
    { x402Version: 1, error: 'X-PAYMENT header is required', accepts, ...own },
    { status: 402 },
  )

export const headerOf = (terms: unknown) => Buffer.from(JSON.stringify(terms)).toString('base64')

export const demandV2 = (accepts: unknown[], own: Record<string, unknown> = {}) =>
  new Response('{}', {
    status: 402,
    headers: {
      'payment-required': headerOf({
        x402Version: 2,
        error: 'PAYMENT-SIGNATURE header is required',
        resource: { url: 'https://vendor.example/paid', description: 'Weather of a place' },
        accepts,
        ...own,
      }),
    },
  })

type Answer = (request: Request) => Response | Promise<Response>

/** A vendor on a port of its own; remembers what it was asked. */
export function paidVendor(answers: Record<string, Answer>) {
  const requests: Array<{ method: string; path: string; headers: Record<string, string> }> = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 5,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      requests.push({
        method: request.method,
        path: pathname,
        headers: Object.fromEntries(request.headers),
      })
      return (await answers[pathname]?.(request)) ?? new Response('no', { status: 404 })
    },
  })
  const url = `http://127.0.0.1:${server.port}`
  return {
    url,
    requests,
    /** Another answer from now on. */
    now(path: string, answer: Answer) {
      answers[path] = answer
    },
    stop: () => server.stop(true),
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

export const outside = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })

/** A tool with these paid addresses. */
export function paidTool(
  endpoints: NonNullable<NonNullable<AuthoredTool['x402']>['endpoints']>,
  own: Partial<AuthoredTool> = {},
): AuthoredTool {
  return {
    slug: 'acme-weather',
    name: 'Acme weather',
    vendor: 'acme',
    kind: 'http-api',
    category: 'messaging',
    summary: 'Weather of any place.',
    auth: 'none',
    pricing: 'usage',
    where: 'hosted',
    x402: { level: 'yes', evidence: 'It answers 402.', endpoints },
    ...own,
  } as AuthoredTool
}
