import { subcommand } from './arguments.ts'

type Way = (args: string[]) => Promise<number>

// Each is loaded only when it runs, like the commands themselves.
const WAYS: Record<string, () => Promise<Way>> = {
  init: async () => (await import('./catalog/init.ts')).init,
  new: async () => (await import('./catalog/new.ts')).newTool,
  lint: async () => (await import('./catalog/lint.ts')).lint,
  grade: async () => (await import('./catalog/grade.ts')).grade,
  import: async () => (await import('./catalog/import.ts')).importInto,
  sign: async () => (await import('./catalog/sign.ts')).sign,
  verify: async () => (await import('./catalog/verify.ts')).verify,
  publish: async () => (await import('./catalog/publish.ts')).publishFolder,
  probe: async () => (await import('./catalog/probe.ts')).probe,
  drafts: async () => (await import('./catalog/drafts.ts')).drafts,
  mirror: async () => (await import('./catalog/mirror.ts')).mirror,
  export: async () => (await import('./catalog/export.ts')).exportFolder,
}

/** `beckon catalog`: the catalog's files, in the data folder unless another is named. */
export async function catalog(args: string[]): Promise<number> {
  const { way, rest } = subcommand(args, WAYS)
  const run = await way()
  return await run(rest)
}
