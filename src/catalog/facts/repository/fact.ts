import { Type } from '@sinclair/typebox'
import { shape } from '../../../platform/schema.ts'
import { closed, instantField, link } from '../../records/words.ts'
import type { FactBases } from '../bases.ts'
import { defineFact, draftId, type Findings, type Probe, type Subject, withTime } from '../fact.ts'
import { createShared } from '../shared.ts'
import { createHourlyBudget, Repository, readRepository } from './github-repository.ts'

const HOUR_MS = 3_600_000
// Without a token GitHub allows 60 requests an hour for all tools together, and unchanged answers
// count. Some are left for others behind the same address.
const REQUESTS_AN_HOUR = 50
const RESERVE = 5
// Runs often, so that repositories for which the hour's requests did not suffice get their turn;
// each is read once a day.
const EVERY_MS = 2 * HOUR_MS
const KEEP_MS = 23 * HOUR_MS

const MEMORY = 'memory github'
const FORM = shape(Repository)

const RepositoryRecord = closed({
  url: link('Repository of the source code.'),
  archived: Type.Boolean({ description: 'Whether its owner has archived it.' }),
  since: Type.Optional(instantField('When that was first seen.')),
  checkedAt: instantField('When it was read.'),
})

/** The state of the repository: archived or not. Its probe also reads stars and the newest release. */
export const REPOSITORY = defineFact({
  name: 'repository',
  value: Type.Omit(RepositoryRecord, ['checkedAt'], { additionalProperties: false }),
  live: { repository: Type.Optional(RepositoryRecord) },
  probes: (bases) => [githubProbe(bases)],
  read: ([stored]) => (stored ? { repository: withTime(stored) } : {}),
})

/** Stars, the newest release, and whether the repository is archived. */
export function githubProbe({ github }: FactBases): Probe {
  const budget = createHourlyBudget(REQUESTS_AN_HOUR, RESERVE)
  const shared = createShared<Repository | undefined>(KEEP_MS)
  const measuredAt = new Map<string, number>()

  return {
    name: 'github',
    everyMs: EVERY_MS,
    appliesTo: ({ tool }) => repositoryOf(tool.repo) !== undefined,
    async run(outside, subject, now) {
      const repo = repositoryOf(subject.tool.repo)
      if (!repo) return { facts: [] }
      const before = remembered(subject, repo)
      const context = { outside, budget, github, now }
      const find = () => readRepository(context, repo, before)
      const { at, value } = await shared(repo.toLowerCase(), now, find)
      const { slug } = subject.tool
      if (!value || measuredAt.get(slug) === at) return { facts: [] }
      measuredAt.set(slug, at)
      return findings(slug, value, before, at)
    },
  }
}

/** `OWNER/NAME`. */
function repositoryOf(address: string | undefined): string | undefined {
  const url = URL.parse(address ?? '')
  if (url?.hostname !== 'github.com' && url?.hostname !== 'www.github.com') return undefined
  const [, owner, name] = /^\/([A-Za-z0-9-]+)\/([A-Za-z0-9._-]+)/.exec(url.pathname) ?? []
  const bare = name?.replace(/\.git$/, '')
  if (!owner || !bare || /^\.*$/.test(bare)) return undefined
  return owner.length + bare.length > 200 ? undefined : `${owner}/${bare}`
}

function remembered({ memories }: Subject, repo: string): Repository | undefined {
  const memory = memories.get(MEMORY)
  if (FORM.wrong(memory).length > 0) return undefined
  return (memory as Repository).repo === repo ? (memory as Repository) : undefined
}

function findings(
  slug: string,
  value: Repository,
  before: Repository | undefined,
  at: number,
): Findings {
  const { repo, stars, archived, since, version, released } = value
  const url = `https://github.com/${repo}`
  const release = { version, ...(released ? { released } : {}) }
  const facts = [
    { subject: MEMORY, value },
    { subject: 'popularity github', value: { githubStars: stars } },
    { subject: 'repository', value: { url, archived, ...(since ? { since } : {}) } },
    ...(version ? [{ subject: `version github ${repo}`, value: release }] : []),
  ].map((fact) => ({ ...fact, at }))
  if (!archived || before?.archived) return { facts }
  const day = (since ?? '').slice(0, 10)
  const what = `The repository ${repo} was archived on GitHub, first seen on ${day}.`
  const id = draftId(slug, 'archived', day)
  return { facts, drafts: [{ id, kind: 'notice', what, source: url }] }
}
