import { Failure } from '../../../platform/failure.ts'
import {
  utcDay as dayAt,
  type ImportDeps,
  type ImportedRecord,
  type Importer,
  type Item,
} from '../importer.ts'
import { slugFrom } from '../slug-from.ts'
import { namesIn } from './names.ts'
import { dayOfInstant, packageFacts } from './package-facts.ts'
import { lookUp, type PackageLookup } from './packument.ts'

// Whoever answers nobody for so long is down.
const TROUBLE_MAX = 3

/** Packages of the registry that `--registry` names: `npm:NAME`, a list, a file, or a search. */
export const NPM: Importer = {
  name: 'npm',
  about: 'the npm registry',
  // As npm itself has it: the option first, then its own variable.
  options: { registry: { env: 'npm_config_registry' } },
  recognises: (source) => /^npm:./.test(source),
  async *read(source, deps) {
    const registry = registryOf(deps.options?.registry)
    const { names, skipped } = await namesIn(source, registry, deps)
    yield* skipped
    let trouble = 0
    for (const [i, name] of names.entries()) {
      if (deps.signal?.aborted) return
      const looked = await lookUp(registry, name, deps)
      trouble = looked.outcome === 'trouble' ? trouble + 1 : 0
      if (trouble >= Math.min(TROUBLE_MAX, names.length)) throw down(registry, looked)
      yield* itemsOf(name, looked, deps)
      deps.progress(i + 1, names.length)
    }
  },
}

/** The address without a slash at its end. Throws `invalid_input` if it is missing or not a web address. */
function registryOf(said: string | undefined): string {
  if (said === undefined) {
    throw new Failure(
      'invalid_input',
      'Which registry to ask is not known; say it, such as --registry "$(npm config get registry)".',
    )
  }
  const url = URL.parse(said)
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password
  if (isPlain && !url.search && !url.hash) return url.href.replace(/\/+$/, '')
  throw new Failure(
    'invalid_input',
    'The registry must be a web address without password, as npm config get registry says it.',
  )
}

function* itemsOf(name: string, looked: PackageLookup, deps: ImportDeps): Generator<Item> {
  const read = dayAt(deps.now)
  if (looked.outcome === 'gone') return yield* gone(name, looked, read)
  if (looked.outcome !== 'there') return yield { skipped: name, why: looked.why }
  if (isHolding(looked.packument.manifest)) {
    return yield { skipped: name, why: 'the registry keeps the name after malware was removed' }
  }
  const wrong: Item[] = []
  const item = packageFacts(name, looked.packument, { read, tell: (it) => wrong.push(it) })
  yield* wrong
  yield item
}

/** What was unpublished makes no record, and is told of one that is there. */
function* gone(
  name: string,
  { url, since }: { url: string; since: string | undefined },
  read: string,
): Generator<Item> {
  const date = dayOfInstant(since)
  if (!date) return yield { skipped: name, why: 'the registry has no version of it any more' }
  const what = `The npm package ${name} was unpublished.`
  const item: ImportedRecord = {
    slug: slugFrom(name),
    tool: { name, packages: [{ registry: 'npm', name }] },
    changes: [{ key: 'unpublished-on-npm', date, kind: 'removal', what, source: url }],
    from: { url, read, facts: [] },
    stub: 'never',
  }
  yield item
}

/** The registry puts such a package in the place of one that did harm. */
function isHolding({ version, repository }: Record<string, unknown>): boolean {
  return (
    version === '0.0.1-security' || JSON.stringify(repository ?? '').includes('security-holder')
  )
}

function down(registry: string, looked: PackageLookup): Failure {
  const why = ('why' in looked ? looked.why : '').replace(/\.$/, '')
  return new Failure('unavailable', `${registry} cannot be read: ${why}. Nothing was imported.`)
}
