/** The path of the gates over HTTP, before their names. */
export const GATE_PATH = '/gate'

/** The address at which agents reach the gate of a name. */
export function gateUrl(baseUrl: string, name: string): string {
  return `${baseUrl}${GATE_PATH}/${encodeURIComponent(name)}`
}
