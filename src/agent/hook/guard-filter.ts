import type { HookCall } from './tool-call.ts'

// Whatever a shell makes something else of may stand for any of the words below.
const COMPUTED = /[$`*?[{]|\\[xu0-7]/
const WORDS =
  /beckon|main\.[jt]s|\bgit\b[^;&|\n]*\b(reset|stash|clean|checkout|switch|restore|push|branch|rm|worktree|read-tree|c)\b|\b(rm|unlink|shred|find|rimraf|del|erase|rd|ri|remove-item|alias|eval|source|xargs|kill|pkill|(ba|da|z|k|fi|a)?sh|setup|user|key|pair|hook|backup|restore|disableAllHooks|BUN_\w+)\b|\.(claude|codex|copilot|github|cursor|gemini|agents|opencode|windsurf|codeium|clinerules|qwen|factory|devin|vscode)\b|opencode|Cline|(^|[\s;&|(])\.{0,2}\//i

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
  return COMPUTED.test(script) || WORDS.test(text) || MAKES.test(text)
}
