// beckon service as a user of the systemd that real-systemd.test.ts has started, who is not root.

import { thisMachine } from '../../../src/cli/service/machine.ts'
import { service } from '../../../src/cli/service/service.ts'
import { PROGRAM } from '../../support/program.ts'

const machine = { ...thisMachine(), uid: 1000, program: () => PROGRAM }
process.exitCode = await service(process.argv.slice(2), machine)
