import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { secretsInTheOpen } from '../../../src/cli/service/server-state.ts'
import { configReader, readConfig } from '../../../src/settings.ts'
import { tempFolder } from '../../support/temp-folder.ts'

// No setting takes it, so errors repeat it unless the setting is a secret.
const VALUE = 'no such value\u0001'

/** A secret is what an error about it does not repeat. */
function isSecret(name: string): boolean {
  try {
    readConfig({}, { [name]: VALUE })
    return false
  } catch (error) {
    return !String(error).includes('no such value')
  }
}

test.each(configReader.variables.map((name) => [name, isSecret(name)] as const))(
  'a setting that others can read is reported if it is a secret: %s, %p',
  (name, secret) => {
    using folder = tempFolder()
    const settingsFile = join(folder.path, 'beckon.env')
    writeFileSync(settingsFile, `${name}=value\n`, { mode: 0o644 })
    const place = { owner: 'user', file: '', dataFolder: folder.path, settingsFile } as const
    const warning = secretsInTheOpen(place)
    if (secret) expect(warning).toContain(`can read ${name} in`)
    else expect(warning).toBeUndefined()
  },
)

test('some settings are secrets', () => {
  expect(configReader.variables.filter(isSecret)).toContain('BECKON_SLACK_SIGNING_SECRET')
})
