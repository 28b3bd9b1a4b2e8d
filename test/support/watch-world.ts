import type { PersonId, WorkspaceId } from '../../src/ask/accounts/model/ids.ts'
import { insertPerson } from '../../src/ask/accounts/model/person-store.ts'
import type { News, PublishedNews } from '../../src/ask/watches/model/watched-catalog.ts'
import { type TellDeps, tellWatchers } from '../../src/ask/watches/tell-watchers.ts'
import { type FlowWorld, flowWorld } from './flow-world.ts'

/** People who watch a catalog that the test plays. */
export type WatchWorld = AsyncDisposable & {
  flows: FlowWorld
  deps: TellDeps
  workspaceId: WorkspaceId
  /** What the catalog shows; undefined: nothing. */
  catalog: { shown: PublishedNews | undefined }
  /** The errors of single watchers. */
  errors: unknown[]
  person(id: PersonId): Promise<{ workspaceId: WorkspaceId; personId: PersonId }>
  tell(): Promise<void>
  /** The bodies of the messages to a device, in order. */
  bodies(label?: string): string[]
}

export const BASE = 'http://localhost:8484'

/** An item of a tool; its id is made of `subject` and `state`. */
export function newsItem(subject: string, more: Partial<News> & { state?: string } = {}): News {
  const { state = '', ...rest } = more
  return {
    ...{ id: `${subject}-${state}`, subject, tool: 'acme-mail', name: 'Acme Mail' },
    ...{ category: 'messaging', capabilities: ['email.send'], kind: 'ends' },
    ...{ at: '2026-01-31T08:00:00.000Z', title: `Acme Mail: ${subject} ${state}`.trim() },
    ...rest,
  }
}

/** A catalog with these news and records. */
export function catalogOf(
  news: readonly News[],
  slugs: readonly string[] = ['acme-mail', 'other'],
  renamed: Readonly<Record<string, string>> = {},
): PublishedNews {
  return {
    news,
    has: (slug) => slugs.includes(slug),
    current: (slug) => renamed[slug] ?? slug,
    categories: [{ id: 'messaging', name: 'Messaging' }],
    capabilities: ['email.send'],
  }
}

export async function watchWorld(): Promise<WatchWorld> {
  const flows = await flowWorld()
  const { db, clock } = flows
  const catalog: WatchWorld['catalog'] = { shown: catalogOf([]) }
  const errors: unknown[] = []
  const { workspaceId } = flows.call().caller
  const deps: TellDeps = {
    ...flows.deps,
    published: async () => catalog.shown,
    baseUrl: BASE,
    quickAnswerSecret: 'secret',
    report: (error) => void errors.push(error),
  }
  return {
    flows,
    deps,
    workspaceId,
    catalog,
    errors,
    async person(id) {
      const email = `${id}@example.org`
      const person = { id, name: id, email, workspaceId, role: 'member' as const }
      await db.write((tx) => insertPerson(tx, person, clock.now()))
      await flows.device(id, { personId: id })
      return { workspaceId, personId: id }
    },
    tell: () => tellWatchers(deps),
    bodies: (label) =>
      flows.deliveries
        .filter(({ to }) => label === undefined || to.label === label)
        .map(({ message }) => message.body),
    [Symbol.asyncDispose]: () => flows[Symbol.asyncDispose](),
  }
}
