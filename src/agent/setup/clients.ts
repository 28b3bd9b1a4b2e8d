import { WrongUsage } from '../../platform/config/wrong-usage.ts'
import { agySetup } from '../clients/agy/setup.ts'
import { claudeSetup } from '../clients/claude/setup.ts'
import { clineSetup } from '../clients/cline/setup.ts'
import { codexSetup } from '../clients/codex/setup.ts'
import { copilotSetup } from '../clients/copilot/setup.ts'
import { cursorSetup } from '../clients/cursor/setup.ts'
import { droidSetup } from '../clients/droid/setup.ts'
import { geminiSetup } from '../clients/gemini/setup.ts'
import { gooseSetup } from '../clients/goose/setup.ts'
import { openCodeSetup } from '../clients/opencode/setup.ts'
import { qwenSetup } from '../clients/qwen/setup.ts'
import { vsCodeSetup } from '../clients/vscode/setup.ts'
import { windsurfSetup } from '../clients/windsurf/setup.ts'
import { zedSetup } from '../clients/zed/setup.ts'
import type { SetupClient } from './setup-client.ts'

/** Every client that setup knows, in the order of the help. */
export const SETUP_CLIENTS: readonly SetupClient[] = [
  claudeSetup,
  codexSetup,
  copilotSetup,
  vsCodeSetup,
  cursorSetup,
  agySetup,
  openCodeSetup,
  geminiSetup,
  qwenSetup,
  droidSetup,
  gooseSetup,
  windsurfSetup,
  clineSetup,
  zedSetup,
]

/** The clients of these names. Throws `WrongUsage` for a name that is none. */
export function namedClients(names: readonly string[]): SetupClient[] {
  return [...new Set(names)].map((name) => {
    const client = SETUP_CLIENTS.find((one) => one.name === name.toLowerCase())
    if (client) return client
    const known = SETUP_CLIENTS.map((one) => one.name).join(', ')
    throw new WrongUsage(`"${name}" is not a client that beckon sets up; these are: ${known}.`)
  })
}
