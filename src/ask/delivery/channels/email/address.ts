const SCHEME = 'mailto:'

/** A mailbox as the endpoint of a device. */
export function mailEndpoint(address: string): string {
  return `${SCHEME}${address.trim().toLowerCase()}`
}

// The characters of account addresses, without those that could add a recipient, a header or a
// command.
const ADDRESS = /^[^\s@<>(),:;"\\[\]\p{Cc}]{1,64}@[^\s@<>(),:;"\\[\]\p{Cc}]{1,250}$/u

/** The mailbox of an endpoint; undefined when it is not the address of one. */
export function mailboxOf(endpoint: string): string | undefined {
  const address = endpoint.startsWith(SCHEME) ? endpoint.slice(SCHEME.length) : ''
  return ADDRESS.test(address) ? address : undefined
}
