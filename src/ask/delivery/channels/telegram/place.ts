/** A private chat as the endpoint of a device. */
export function chatEndpoint(apiUrl: string, chatId: number): string {
  return `${apiUrl}/#${chatId}`
}

/** The chat of an endpoint; undefined when it is not one. Ids have at most 52 bits (Bot API: Chat). */
export function chatOf(endpoint: string): number | undefined {
  const id = /#(-?\d{1,16})$/.exec(endpoint)?.[1]
  return id === undefined ? undefined : Number(id)
}
