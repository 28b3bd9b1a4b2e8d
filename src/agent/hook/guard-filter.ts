import { PROTECTED } from '../../ask/wire/matcher/protected-paths.ts'
import type { HookCall } from './tool-call.ts'

// Whatever a shell makes something else of may stand for any of the words below.
const COMPUTED = /[$`*?[{]|\\[xu0-7]/
const WORDS =
  /beckon|main\.[jt]s|\bgit\b[^;&|\n]*\b(reset|stash|clean|checkout|switch|restore|push|branch|rm|worktree|read-tree|c)\b|\b(rm|unlink|shred|find|rimraf|del|erase|rd|ri|remove-item|alias|eval|source|xargs|kill|pkill|(ba|da|z|k|fi|a)?sh|setup|user|key|pair|hook|backup|restore|disableAllHooks|BUN_\w+)\b|(^|[\s;&|(])\.{0,2}\//i

// The folders in which clients have their hooks: `.claude`, `opencode` of `.config/opencode`.
const CLIENT_FOLDERS = new RegExp(
  [...new Set(PROTECTED.flatMap(folderOf))].map((name) => RegExp.escape(name)).join('|'),
  'i',
)

// What makes a file: of those nobody is asked when they go again.
const MAKES = /(^|[^&\d])>{1,2}\|?\s*(?!\/dev\/)[^\s&>(]|\b(touch|tee|cp)\b/

/**
 * Whether a call may be one that is looked at with or without a scope: that switches off what
 * watches the agent, or destroys work. Says yes rather than no; it is asked of every call, so that
 * nothing is loaded for most of them.
 */
export function mayBeAtStake(call: HookCall): boolean {
  const scripts = [...(call.command === undefined ? [] : [call.command]), ...(call.scripts ?? [])]
  if (scripts.some(mayMatter)) return true
  return call.touches.some(({ touch, path }) => touch !== 'read' || /beckon/i.test(path))
}

function mayMatter(script: string): boolean {
  const text = script.replace(/["'\\]/g, '')
  return [WORDS, CLIENT_FOLDERS, MAKES].some((words) => words.test(text)) || COMPUTED.test(script)
}

function folderOf(glob: string): string[] {
  const names = glob.split('/').filter((name) => name !== '**' && name !== '.config')
  return names[0] === '.git' ? [] : names.slice(0, 1)
}
