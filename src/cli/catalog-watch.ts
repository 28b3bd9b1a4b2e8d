import { type ApiClient, asClient } from '../agent/api-client.ts'
import type { WatchList } from '../catalog/commands/check.ts'
import { EXIT } from '../platform/command.ts'
import { WrongUsage } from '../platform/failure.ts'
import { readOpenArguments } from '../platform/terminal/arguments.ts'
import { note, say } from '../platform/terminal/terminal.ts'
import { cleanLine } from '../platform/text.ts'

const OPTIONS = {
  category: { type: 'string' },
  capability: { type: 'string' },
  news: { type: 'string' },
  url: { type: 'string' },
  stop: { type: 'string' },
  json: { type: 'boolean' },
} as const

type Request = {
  kind: 'tool' | 'category' | 'capability' | 'list'
  target: string
  records?: readonly string[]
  news?: string[]
  url?: string
}

type ServedWatch = Request & { id: string; news: string[]; stoppedWhy?: string; secret?: string }

/**
 * `beckon catalog watch`: lists what is watched, watches more, or stops. The person who made the
 * token is told, or the program at `--url`.
 */
export async function watch(args: string[]): Promise<number> {
  const { operands, ...options } = readOpenArguments(args, OPTIONS)
  const requests = requestsOf(operands, options)
  if (options.stop !== undefined && requests.length > 0) {
    throw new WrongUsage('--stop ends one watch; name nothing else beside it.')
  }
  const { configReader } = await import('../settings.ts')
  return await asClient(configReader.readClientConfig, async (client) => {
    if (options.stop !== undefined) {
      await client.call('DELETE', `/watches/${encodeURIComponent(options.stop)}`)
      if (options.json) say(JSON.stringify({ stopped: options.stop }))
      else say('Stopped.')
      return EXIT.done
    }
    const watches = requests.length > 0 ? await addAll(client, requests) : await list(client)
    if (options.json) say(JSON.stringify({ watches }, null, 2))
    else tell(watches)
    return EXIT.done
  })
}

type Options = { category?: string; capability?: string; news?: string; url?: string }

function requestsOf(slugs: readonly string[], options: Options): Request[] {
  const { category, capability, news, url } = options
  const common = {
    ...(news === undefined ? {} : { news: news.split(',').map((one) => one.trim()) }),
    ...(url === undefined ? {} : { url }),
  }
  const requests: Request[] = [
    ...slugs.map((target) => ({ kind: 'tool' as const, target, ...common })),
    ...(category === undefined ? [] : [{ kind: 'category' as const, target: category, ...common }]),
    ...(capability === undefined
      ? []
      : [{ kind: 'capability' as const, target: capability, ...common }]),
  ]
  if (requests.length === 0 && (news !== undefined || url !== undefined)) {
    throw new WrongUsage('Name what to watch: slugs, --category or --capability.')
  }
  return requests
}

async function addAll(client: ApiClient, requests: readonly Request[]): Promise<ServedWatch[]> {
  const watches: ServedWatch[] = []
  for (const body of requests)
    watches.push(await client.call<ServedWatch>('POST', '/watches', { body }))
  return watches
}

async function list(client: ApiClient): Promise<ServedWatch[]> {
  return (await client.call<{ watches: ServedWatch[] }>('GET', '/watches')).watches
}

function tell(watches: readonly ServedWatch[]): void {
  if (watches.length === 0) note('Nothing is watched yet. Name a tool of the catalog to watch it.')
  for (const one of watches) {
    const { id, kind, target, records, news, url = 'you', stoppedWhy } = one
    const count = records ? ` (${records.length})` : ''
    const state = stoppedWhy === undefined ? '' : ` stopped: ${stoppedWhy}`
    say(cleanLine(`${id} ${kind} ${target}${count}: ${news.join(',')} → ${url}${state}`))
    tellSecret(one)
  }
}

function tellSecret({ secret }: Pick<ServedWatch, 'secret'>): void {
  if (secret !== undefined) note(`The secret that signs the posts, shown only now: ${secret}`)
}

/** Watches the records that a repository uses; for `beckon catalog check --watch`. */
export const watchList: WatchList = async ({ name, slugs, url }) => {
  const { configReader } = await import('../settings.ts')
  await asClient(configReader.readClientConfig, async (client) => {
    const body = { kind: 'list', target: name, records: slugs, ...(url ? { url } : {}) }
    tellSecret(await client.call<ServedWatch>('POST', '/watches', { body }))
    return EXIT.done
  })
}
