import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Driver } from './driver.ts'
import { DRIVERS } from './drivers.ts'
import { INSTALLED } from './installed.ts'
import { SCENARIOS } from './scenarios.ts'
import { clientWorld } from './world.ts'

// What a client cannot do is no proof of anything.
const NOTHING_TRIED = /^(not possible|the client has no|no dialog while the phone is asked:)/

const [names, wanted] = [process.argv.slice(2).filter((arg) => !arg.startsWith('--')), wantedOf()]
const chosen = names.length ? DRIVERS.filter(({ name }) => names.includes(name)) : DRIVERS
let failed = 0
for (const driver of chosen) failed += await play(driver)
process.exit(failed === 0 ? 0 : 1)

function wantedOf(): RegExp {
  return new RegExp(process.argv.find((arg) => arg.startsWith('--only='))?.slice(7) ?? '')
}

function isWanted({ name }: { name: string }): boolean {
  return wanted.test(name)
}

/** How many scenarios went otherwise. */
async function play(driver: Driver): Promise<number> {
  const binary = join(INSTALLED, driver.name, 'node_modules/.bin', driver.name)
  if (!existsSync(binary)) {
    console.log(`${driver.name}: SKIPPED, not installed (${driver.package})`)
    return 0
  }
  await using world = await clientWorld()
  using model = driver.startModel()
  const { out } = await world.run([binary, '--version'])
  console.log(`${driver.name} ${out.trim().split('\n')[0]}`)
  await driver.connect(world, model, binary)
  let failed = 0
  for (const scenario of [...SCENARIOS, ...(driver.more ?? [])].filter(isWanted)) {
    try {
      const result = await scenario.play({ driver, world, model, binary })
      console.log(`  ${NOTHING_TRIED.test(result) ? 'none' : 'ok  '}  ${scenario.name}: ${result}`)
    } catch (error) {
      failed++
      console.log(`  FAIL  ${scenario.name}: ${(error as Error).message}`)
    }
  }
  return failed
}
