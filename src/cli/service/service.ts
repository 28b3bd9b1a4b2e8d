import { subcommand } from '../../platform/terminal/arguments.ts'
import { install } from './install.ts'
import { logs } from './log.ts'
import { thisMachine } from './machine.ts'
import { run } from './run.ts'
import { status } from './status.ts'
import { uninstall } from './uninstall.ts'

/** `beckon service`: the server as a service of this machine. */
export async function service(args: string[], machine = thisMachine()): Promise<number> {
  const { way, rest } = subcommand(args, {
    install,
    status,
    logs,
    uninstall,
    run,
  })
  return await way(rest, machine)
}
