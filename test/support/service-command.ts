// beckon service on a stand-in machine, as a process of its own: FOLDER, what differs (JSON), words.
import { runTool } from '../../src/cli/service/machine.ts'
import { service } from '../../src/cli/service/service.ts'
import { Failure, WrongUsage } from '../../src/platform/failure.ts'
import { standInMachine } from './service-stand-in.ts'

const [folder = '', more = '{}', ...args] = process.argv.slice(2)
const { platform = 'linux', env = {}, ...rest } = JSON.parse(more)
const { machine } = standInMachine(folder, platform)
try {
  const all = { ...machine.env, ...env }
  const run = (words: readonly string[], added = {}) => runTool(words, { ...all, ...added })
  const options = { ...machine, ...rest, env: all, run }
  process.exitCode = await service(args, options)
} catch (error) {
  if (!(error instanceof WrongUsage || error instanceof Failure)) throw error
  console.error(error.message)
  process.exitCode = error instanceof WrongUsage ? 2 : 1
}
