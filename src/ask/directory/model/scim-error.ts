/** A failure as a directory reads it (RFC 7644, 3.12). */
export class ScimFailure extends Error {
  readonly status: number
  readonly scimType: string | undefined
  /** What owners have to change, so that the directory gets its way; undefined if they cannot. */
  readonly forOwners: string | undefined

  constructor(
    status: number,
    detail: string,
    { scimType, forOwners }: { scimType?: string | undefined; forOwners?: string | undefined } = {},
  ) {
    super(detail)
    this.forOwners = forOwners
    this.status = status
    this.scimType = scimType
  }
}

export function scimError(status: number, detail: string, scimType?: string): ScimFailure {
  return new ScimFailure(status, detail, { scimType })
}

/** A failure that owners hear of, because the directory only tries again. */
export function refusalForOwners(
  status: number,
  detail: string,
  forOwners: string = detail,
): ScimFailure {
  const scimType = status === 409 ? 'uniqueness' : undefined
  return new ScimFailure(status, detail, { scimType, forOwners })
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
