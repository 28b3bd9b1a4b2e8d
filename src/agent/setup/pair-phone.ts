import { readConfig } from '../../platform/config/config.ts'
import { inspectFolder } from '../../platform/db/inspect-folder.ts'
import { Failure } from '../../platform/failure.ts'
import { say } from '../../platform/terminal/terminal.ts'
import { askLine, canAsk } from './ask.ts'
import type { Server } from './server.ts'

/** `beckon pair`. */
export type Pair = (args: string[]) => Promise<number>

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Without a device nothing rings: says how to connect one, and shows the code when it can. */
export async function pairPhone({ url, devices, test }: Server, pair: Pair): Promise<void> {
  if (devices > 0 || test) return
  say(`No device is connected yet, so nothing rings: open ${url}/settings/devices in a browser,`)
  say('or run "beckon pair" where the server runs, to connect a phone with a QR code.')
  if (!canAsk() || !isHere(url)) return
  const typed = await askLine('Connect a phone now? [y/N] ')
  if (!/^\s*y(es)?\s*$/i.test(typed ?? '')) return
  try {
    await pair(['--base-url', url])
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    say(error.message)
  }
}

/** Whether the data folder that "beckon pair" would open from here is that of the server. */
function isHere(url: string): boolean {
  try {
    if (!LOOPBACK.test(new URL(url).hostname)) return false
    const { baseUrl, dataFolder } = readConfig()
    return baseUrl === url && inspectFolder(dataFolder, 0).database.state === 'read'
  } catch {
    return false
  }
}
