import { claude } from './claude.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import type { Driver } from './driver.ts'
import { droid } from './droid.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import { qwen } from './qwen.ts'

/** Every client that can be installed from npm and runs without an account. */
export const DRIVERS: readonly Driver[] = [
  claude,
  codex,
  opencode,
  copilot,
  gemini,
  qwen,
  cline,
  droid,
]
