import { FILTERS } from './facets.ts'

/**
 * The address of a list after a form on it was sent, filtered as the page that the browser says it
 * came from; a browser that does not say shows all.
 */
export function listAgain(request: Request, list: string, more: Record<string, string>): string {
  const from = URL.parse(request.headers.get('referer') ?? '')
  const kept = [...(from?.searchParams ?? [])].filter(([name]) => FILTERS.has(name))
  return `${list}?${new URLSearchParams([...kept, ...Object.entries(more)])}`
}
