import type { ReadConfig } from '../../platform/config/config-reader.ts'
import { subcommand } from '../../platform/terminal/arguments.ts'
import type { WatchList } from './check.ts'

type Way = (args: string[], readConfig: ReadConfig, own: OwnWays) => Promise<number>

/** The ways that call a server. */
type OwnWays = { watch(args: string[]): Promise<number>; watchList: WatchList }

// Each subcommand is loaded only when it runs.
const WAYS: Record<string, () => Promise<Way>> = {
  init: async () => (await import('./init.ts')).init,
  new: async () => (await import('./new.ts')).newTool,
  lint: async () => (await import('./lint.ts')).lint,
  grade: async () => (await import('./grade.ts')).grade,
  check: async () => (await import('./check.ts')).check,
  score: async () => (await import('./score.ts')).score,
  import: async () => {
    const { importInto } = await import('./import.ts')
    return (args, readConfig) => importInto(args, readConfig)
  },
  reply: async () => (await import('./reply.ts')).reply,
  sign: async () => (await import('./sign.ts')).signCommand,
  verify: async () => (await import('./verify.ts')).verify,
  publish: async () => (await import('./publish.ts')).publishFolder,
  probe: async () => (await import('./probe.ts')).probeCommand,
  drafts: async () => (await import('./drafts.ts')).drafts,
  mirror: async () => (await import('./mirror.ts')).mirror,
  watch: async () => (rest, _, own) => own.watch(rest),
  export: async () => (await import('./export.ts')).exportFolder,
}

/** `beckon catalog`: the catalog's files, in the data folder unless another is named. */
export async function catalog(
  args: string[],
  readConfig: ReadConfig,
  own: OwnWays,
): Promise<number> {
  const { way, rest } = subcommand(args, WAYS)
  const run = await way()
  return await run(rest, readConfig, own)
}
