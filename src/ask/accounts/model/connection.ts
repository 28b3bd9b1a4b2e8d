/** What a person agreed to when they allowed a client. */
export type Connection = {
  /** The host that the client is known by; null for one that only says a name. */
  host: string | null
  /** Where sign-ins lead back to: a host, or the scheme of an app. */
  returnsTo: string
  /** What it may do. */
  scopes: string[]
  /** The client as it was then: after a change people are asked again. */
  agreedTo: string
}
