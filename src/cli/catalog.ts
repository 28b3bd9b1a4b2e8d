import { subcommand } from './arguments.ts'
import { publishFolder } from './catalog/publish.ts'

/** `beckon catalog`: what a curator does with the files of a catalog. */
export async function catalog(args: string[]): Promise<number> {
  const { way, rest } = subcommand(args, { publish: publishFolder })
  return await way(rest)
}
