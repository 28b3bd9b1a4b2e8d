import type { ReadConfig } from '../../platform/config/config-reader.ts'
import { subcommand } from '../../platform/terminal/arguments.ts'

type Way = (args: string[], readConfig: ReadConfig) => Promise<number>

// Each subcommand is loaded only when it runs.
const WAYS: Record<string, () => Promise<Way>> = {
  init: async () => (await import('./init.ts')).init,
  new: async () => (await import('./new.ts')).newTool,
  lint: async () => (await import('./lint.ts')).lint,
  grade: async () => (await import('./grade.ts')).grade,
  check: async () => (await import('./check.ts')).check,
  score: async () => (await import('./score.ts')).score,
  import: async () => (await import('./import.ts')).importInto,
  reply: async () => (await import('./reply.ts')).reply,
  sign: async () => (await import('./sign.ts')).signCommand,
  verify: async () => (await import('./verify.ts')).verify,
  publish: async () => (await import('./publish.ts')).publishFolder,
  probe: async () => (await import('./probe.ts')).probeCommand,
  drafts: async () => (await import('./drafts.ts')).drafts,
  mirror: async () => (await import('./mirror.ts')).mirror,
  export: async () => (await import('./export.ts')).exportFolder,
}

/** `beckon catalog`: the catalog's files, in the data folder unless another is named. */
export async function catalog(args: string[], readConfig: ReadConfig): Promise<number> {
  const { way, rest } = subcommand(args, WAYS)
  const run = await way()
  return await run(rest, readConfig)
}
