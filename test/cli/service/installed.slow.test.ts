import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findInstalledService, restartService } from '../../../src/cli/service/installed.ts'
import { serviceFile } from '../../../src/cli/service/service-file.ts'
import { systemd } from '../../../src/cli/service/systemd.ts'
import { freePort } from '../../support/free-port.ts'
import { PROGRAM } from '../../support/program.ts'
import { standInMachine } from '../../support/service-stand-in.ts'
import { tempFolder } from '../../support/temp-folder.ts'

// Whole servers on a busy machine.
setDefaultTimeout(60_000)

test('the service of a program and data folder is found, and restarted until it is ready', async () => {
  using folder = tempFolder()
  await using stand = standInMachine(folder.path, 'linux')
  const { machine } = stand
  const place = systemd.place(machine, 'user')
  const dataFolder = join(folder.path, 'data')
  const options = ['--port', String(freePort())]
  const service = { place, program: PROGRAM, options, dataFolder, user: 'ada' }
  mkdirSync(dirname(place.file), { recursive: true })
  writeFileSync(place.file, serviceFile(systemd, service))
  writeFileSync(join(folder.path, 'unit'), place.file)

  const linked = join(folder.path, 'linked')
  const program = PROGRAM.at(-1) ?? ''
  symlinkSync(program, linked)
  const installed = await findInstalledService(machine, { program: linked, dataFolder })
  expect(installed).toMatchObject({ file: place.file, program: PROGRAM, options, dataFolder })
  expect(installed?.state.isRunning).toBe(false)
  expect(await findInstalledService(machine, { program })).toBeDefined()
  for (const other of [{ program: '/usr/bin/true' }, { program, dataFolder: folder.path }]) {
    expect(await findInstalledService(machine, other)).toBeUndefined()
  }

  if (!installed) throw new Error('it was found above')
  expect(await restartService(machine, installed)).toMatchObject({ isReady: true, why: undefined })
  const again = await findInstalledService(machine, { program, dataFolder })
  expect(again?.state).toMatchObject({ isRunning: true, pid: expect.any(Number) })
  // Now the folder has what proves that the server is its own.
  const { version } = await restartService(machine, installed)
  expect(version).toMatch(/^\d+\.\d+\.\d+/)

  stand.failAt('restart')
  const refused = restartService(machine, installed)
  expect(refused).rejects.toThrow('systemd could not restart the unit: Access denied')
})

test('a server that does not become ready is a sentence that says where to look', async () => {
  using folder = tempFolder()
  await using stand = standInMachine(folder.path, 'linux')
  const machine = { ...stand.machine, readyMs: 300 }
  const place = systemd.place(machine, 'user')
  const service = {
    place,
    program: ['/usr/bin/false'],
    options: [],
    dataFolder: folder.path,
    user: '',
  }
  mkdirSync(dirname(place.file), { recursive: true })
  writeFileSync(place.file, serviceFile(systemd, { ...service, options: ['--port', '1'] }))
  writeFileSync(join(folder.path, 'unit'), place.file)
  const installed = await findInstalledService(machine, { program: '/usr/bin/false' })
  if (!installed) throw new Error('not found')
  expect(restartService(machine, installed)).rejects.toThrow(
    /not ready after .* beckon service logs/,
  )
})
