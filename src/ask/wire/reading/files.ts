import type { Word } from './reading.ts'

const DATA =
  /(^|\/)[^/]*\.(log|txt|md|csv|tsv|json|jsonl|ndjson|xml|html|out|err|diff|patch|sql|svg|png|jpe?g|gif|webp|pdf|tar|tgz|gz|zip|bz2|xz|tmp|bak|orig|lock|sum|yaml|yml|toml|ini|prof|cover|rst|tex)$|(^|\/)(output|log|result|report)[^/.]*$/i
// Data by their ending, but programs read them as settings that name commands.
const SETTINGS =
  /(^|\/)(package(-lock)?\.json|composer\.json|deno\.jsonc?|tsconfig[^/]*\.json|[^/]*rc\.(json|ya?ml|toml)|bunfig\.toml|pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|cargo\.toml|config\.toml|\.?pre-commit[^/]*|lefthook\.ya?ml|taskfile\.ya?ml|turbo\.json|nx\.json|project\.json|lerna\.json|pnpm-workspace\.yaml|docker-compose[^/]*|compose[^/]*\.ya?ml|\.mcp\.json|requirements[^/]*\.txt|constraints[^/]*\.txt|cmakelists\.txt|go\.sum|[^/]*\.lock|pipfile[^/]*)$/i

/**
 * Returns true if nothing runs the file: its extension is one of data, or it is a temporary file.
 */
export function isPlainData({ text, sure, base }: Word): boolean {
  if (sure !== 'text' || SETTINGS.test(text)) return false
  if (DATA.test(text)) return true
  return (
    base === undefined &&
    /^\/(tmp|var\/tmp)\/[^/]+$/.test(text) &&
    !/\.\w*(sh|py|js|ts|rb|pl)$/.test(text)
  )
}

/** The name of a file without its folder. */
export function fileName({ text }: Word): string {
  return text.split('/').at(-1) ?? text
}

const CONTROL =
  /(^|\/)(\.git|\.hg|\.svn|\.ssh|\.aws|\.gnupg|\.kube|\.docker|\.claude|\.codex|\.gemini|\.qwen|\.cursor|\.cline|\.opencode|\.factory|\.husky|\.vscode|\.idea|\.config|\.local|\.cargo|\.direnv|\.devcontainer|\.githooks|\.beckon)(\/|$)|(^|\/)\.(envrc|bashrc|bash_\w+|profile|zshrc|zshenv|zprofile|zlogin|zlogout|inputrc|gitconfig|gitattributes|gitmodules|npmrc|yarnrc|yarnrc\.yml|netrc|vimrc|exrc|gdbinit|mcp\.json|curlrc|wgetrc|pypirc|condarc|Rprofile|irbrc|pryrc|psqlrc|sqliterc|tmux\.conf|screenrc)$/i

/** A file that other programs read as commands: not data of the project, wherever it is. */
export function isControlFile({ text, base }: Word): boolean {
  if (CONTROL.test(text)) return true
  if (base === 'home') return true
  return (
    base === undefined &&
    /^\/(?!tmp\/|var\/tmp\/|dev\/shm\/|private\/tmp\/|home\/|Users\/|work\/|workspace|repo|app\/|src\/|code\/|root\/)/.test(
      text,
    )
  )
}
