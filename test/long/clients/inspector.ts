import { join } from 'node:path'
import { until } from '../../support/until.ts'
import { check } from './stage.ts'
import { openTerminal } from './terminal.ts'
import { personAtBrowser } from './the-browser.ts'
import { clientWorld } from './world.ts'

/**
 * The MCP Inspector signs in at its command line and lists the tools: `bun inspector.ts NODE INSPECTOR`,
 * with the paths of a Node 22 and of its program.
 */
const [node = 'node', inspector = 'mcp-inspector'] = process.argv.slice(2)
console.log(`ok: signed in, ${await listTools()} tools`)
process.exit(0)

/** Resolves to how many it lists. */
async function listTools(): Promise<number> {
  await using world = await clientWorld()
  await using person = await personAtBrowser(world)
  const out = join(world.home, 'tools.json')
  const list = `${node} ${inspector} --cli ${world.house.url}/mcp --transport http --method tools/list`
  const line = `${list} > ${out}; echo "ended: $?"; read`
  await using terminal = await openTerminal(world, ['bash', '-c', line], person.env)
  let address = ''
  // It prints the address, broken into lines by the terminal, and opens nothing.
  await until(async () => {
    const screen = (await terminal.screen()).replaceAll('\n', '')
    address = /http:\S+\/authorize\?\S+?resource=\S+?%2Fmcp/.exec(screen)?.[0] ?? ''
    return address !== ''
  })
  await person.allow(address)
  const screen = await terminal.shows(/ended: \d/)
  const { tools } = (await Bun.file(out).json()) as { tools: { name: string }[] }
  check(
    tools.some(({ name }) => name === 'ask_user'),
    'ask_user is not among the tools',
    { screen },
  )
  return tools.length
}
