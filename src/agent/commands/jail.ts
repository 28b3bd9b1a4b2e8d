import { resolve } from 'node:path'
import { wholeEnvironment } from '../../platform/config/env.ts'
import { WrongUsage } from '../../platform/config/wrong-usage.ts'
import { readArguments } from '../../platform/terminal/arguments.ts'
import { note, noteError } from '../../platform/terminal/terminal.ts'
import { NotStarted } from '../jail/jail.ts'
import { startContained } from '../jail/start.ts'

/** `beckon jail`: this process becomes the command. Resolves only when that could not be done. */
export async function jail(args: string[]): Promise<number> {
  const dashes = args.indexOf('--')
  const words = dashes < 0 ? [] : args.slice(dashes + 1)
  if (words.length === 0) throw new WrongUsage('The command is missing: it stands after "--".')
  const paths = { type: 'string', multiple: true } as const
  const options = readArguments(args.slice(0, dashes), {
    write: paths,
    keep: paths,
    deny: paths,
    'no-state': { type: 'boolean' },
    'no-namespaces': { type: 'boolean' },
    'best-effort': { type: 'boolean' },
  })
  const cwd = process.cwd()
  const from = (given: string[] = []) => given.map((path) => resolve(cwd, path))
  const wish = {
    write: from(options.write),
    keep: from(options.keep),
    deny: from(options.deny),
    withoutState: options['no-state'] === true,
    withoutNamespaces: options['no-namespaces'] === true,
    bestEffort: options['best-effort'] === true,
  }
  try {
    return await startContained(wish, { words, cwd, env: wholeEnvironment() }, note)
  } catch (error) {
    if (!(error instanceof NotStarted)) throw error
    noteError(`beckon jail: ${error.message}`)
    return error.code
  }
}
