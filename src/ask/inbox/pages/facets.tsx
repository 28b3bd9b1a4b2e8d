/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import { Icon } from '../../../platform/web/icon.tsx'
import { splitName } from '../../pages/agent-name.tsx'
import { repositoryName } from '../../pages/repository-name.ts'
import type { OpenFilter } from '../../questions/model/open-filter-store.ts'
import type { QuestionKind } from '../../questions/model/question.ts'
import type { OpenFacts } from '../../questions/model/store.ts'

/** A property in which open questions differ, and the value that was chosen for it. */
export type Facet = {
  name: 'agent' | 'repository' | 'kind' | 'outcome'
  label: string
  values: FacetValue[]
  chosen: string
}

/** The query parameters that hold the filter. */
export const FACET_PARAMETERS: ReadonlySet<string> = new Set<Facet['name']>([
  'agent',
  'repository',
  'kind',
])

/** `names` are the names of an agent in all its projects. */
type FacetValue = { value: string; words: string; names?: string[] }

const KINDS: Record<QuestionKind, string> = {
  confirm: 'Yes or no',
  select: 'A choice',
  input: 'A text',
  scope: 'A scope',
}

/**
 * Lists the values by which the open questions differ, with what an address chooses; the most
 * frequent first.
 */
export function facetsOf(facts: readonly OpenFacts[], chosen: URLSearchParams): Facet[] {
  const names = facts.flatMap(({ agentName }) => agentName ?? [])
  const agents = byFrequency(names, (name) => splitName(name)[0])
  const repositories = byFrequency(
    facts.flatMap(({ repoKey, agentName }) => (repoKey ? { repoKey, agentName } : [])),
    ({ repoKey }) => repoKey,
  )
  const kinds = byFrequency(facts.map(({ type, origin }) => (origin === 'scope' ? origin : type)))
  const facets = [
    {
      name: 'agent' as const,
      label: 'Agent',
      values: agents.map(([value, all]) => ({ value, words: value, names: [...new Set(all)] })),
    },
    {
      name: 'repository' as const,
      label: 'Repository',
      values: repositories.map(([value, [one]]) => ({
        value,
        words: repositoryName(value, one?.agentName),
      })),
    },
    {
      name: 'kind' as const,
      label: 'Kind',
      values: kinds.map(([value]) => ({ value, words: KINDS[value] })),
    },
  ]
  return facets
    .map((facet) => ({ ...facet, chosen: chosen.get(facet.name) ?? '' }))
    .filter(({ values, chosen }) => values.length > 1 || chosen !== '')
}

function byFrequency<T, K = T>(all: readonly T[], keyOf = (one: T) => one as unknown as K) {
  return [...Map.groupBy(all, keyOf)].sort(([, a], [, b]) => b.length - a.length)
}

/** The filter for the chosen values; a value that no open question has matches nothing. */
export function filterOf(facets: readonly Facet[]): OpenFilter {
  const chosen = (name: Facet['name']) => {
    const facet = facets.find((one) => one.name === name)
    return facet && facet.chosen !== '' ? facet : undefined
  }
  const agent = chosen('agent')
  return {
    agentNames: agent && (agent.values.find(({ value }) => value === agent.chosen)?.names ?? []),
    repoKey: chosen('repository')?.chosen,
    kind: chosen('kind')?.chosen as QuestionKind | undefined,
  }
}

/**
 * The address of a list after a form on it was sent, filtered as the page that the browser says it
 * came from; a browser that does not say shows all.
 */
export function listAgain(request: Request, list: string, more: Record<string, string>): string {
  const from = URL.parse(request.headers.get('referer') ?? '')
  const pairs = [...(from?.searchParams ?? [])].filter(([name]) => FACET_PARAMETERS.has(name))
  return `${list}?${new URLSearchParams([...pairs, ...Object.entries(more)])}`
}

export function isFiltered(facets: readonly Facet[]): boolean {
  return facets.some(({ chosen }) => chosen !== '')
}

type Props = {
  facets: readonly Facet[]
  here: string
  /** Fields that the form sends along. */
  children?: ComponentChildren
}

/** Fields to see only some of what waits; nothing where there is nothing to choose. */
export function FacetFilters({ facets, here, children }: Props) {
  if (facets.length === 0) return null
  const filtered = isFiltered(facets)
  return (
    <details class="filters" open={filtered}>
      <summary>
        <Icon name="filter" />
        {filtered ? 'Filtered' : 'Filter'}
      </summary>
      <form method="get" action={here}>
        {facets.map((facet) => (
          <label>
            {facet.label}
            <select name={facet.name}>
              <option value="">All</option>
              {facet.values.map(({ value, words }) => (
                <option value={value} selected={value === facet.chosen}>
                  {words}
                </option>
              ))}
            </select>
          </label>
        ))}
        {children}
        <button type="submit">Show these</button>
        {filtered && (
          <a class="button" href={here}>
            Show all
          </a>
        )}
      </form>
    </details>
  )
}
