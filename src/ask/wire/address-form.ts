/** The options of the MCP address in its query. */
export type AddressForm = {
  /** For the one client that hides every tool named `ask_user` when it runs alone. */
  asksHuman?: boolean
  /** The short list of tools, and results whose text is one sentence. */
  lean?: boolean
}

/** The query that asks for it; empty for the address as specified. */
export function addressQuery({ asksHuman, lean }: AddressForm): string {
  const parameters = [asksHuman && 'ask=ask_human', lean && 'tools=lean'].filter(Boolean)
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`
}

/** Reads the options in the query of `url`; every other parameter is ignored. */
export function addressForm(url: string): Required<AddressForm> {
  const at = url.indexOf('?')
  const query = new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
  return { asksHuman: query.get('ask') === 'ask_human', lean: query.get('tools') === 'lean' }
}
