/** A failure as a directory reads it (RFC 7644, 3.12). */
export class ScimFailure extends Error {
  readonly status: number
  readonly scimType: string | undefined

  constructor(status: number, detail: string, scimType: string | undefined) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

export function scimError(status: number, detail: string, scimType?: string): ScimFailure {
  return new ScimFailure(status, detail, scimType)
}

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

export function errorReply({ status, scimType, message }: ScimFailure): Response {
  const type = scimType === undefined ? {} : { scimType }
  return scimReply({ schemas: [ERROR], status: `${status}`, ...type, detail: message }, status)
}

/** A reply in the type that SCIM has. */
export function scimReply(body: unknown, status = 200, headers: Record<string, string> = {}) {
  return new Response(body === undefined ? null : JSON.stringify(body), {
    status,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
      'cache-control': 'no-store',
      ...headers,
    },
  })
}
