import type { Question } from './question.ts'

/** Commands and words that are hard to take back: a slip of the thumb must not start them. */
const DESTRUCTIVE: readonly RegExp[] = [
  /\brm\s+(-[\w-]+\s+)*-{1,2}(\w*[rf]\w*|recursive|force)\b/i,
  /\b(drop|truncate)\s+(table|database|schema|index|view)\b/i,
  /\bdelete\s+from\b/i,
  /\bpush\b[^\n]*\s(--force\b|--force-with-lease\b|-f\b|--delete\b|--mirror\b)/i,
  /\bgit\b[^\n]*\bpush\b[^\n]*\s[+:][\w/]/i,
  /\breset\s+--hard\b/i,
  /\bclean\s+-\w*[fdx]/i,
  /\bbranch\s+-D\b/,
  /\b(terraform|tofu|pulumi|cdk)\b[^\n]*\bdestroy\b/i,
  /\bkubectl\b[^\n]*\b(delete|drain)\b/i,
  /\bhelm\s+(uninstall|delete)\b/i,
  /\bdocker\b[^\n]*\b(prune|rm|rmi)\b/i,
  /\bmkfs(\.\w+)?\b/i,
  /\bdd\b[^\n]*\bof=/i,
  /\b(shred|wipefs|fdisk|parted)\b/i,
  /\b(shutdown|reboot|poweroff|halt)\b/i,
  /\bchmod\s+(-\w+\s+)*-?R\b/i,
  /\b(curl|wget)\b[^\n|]*\|\s*(sudo\s+)?((ba|z|da)?sh|python[\d.]*|perl|ruby|node)\b/i,
  /\b((ba|z|da)?sh|source|eval)\b[^\n]*[<$]\((curl|wget)\b/i,
  /\bbase64\b[^\n|]*\|\s*(sudo\s+)?(ba|z|da)?sh\b/i,
  /\bfind\b[^\n]*\s(-delete\b|-exec(dir)?\s+(rm|shred|unlink)\b)/i,
  /\b(truncate\s+-s|crontab\s+-r\b|stash\s+(drop|clear)\b)/i,
  /\bgh\s+repo\s+delete\b/i,
  />\s*\/dev\/(sd|nvme|disk)/i,
  /\b(aws|gcloud|az)\b[^\n]*\b(delete|terminate|rb|remove)[\w-]*\b/i,
  /\b(format|erase|wipe)\s+(the\s+)?(disk|drive|database|volume)\b/i,
]

/** Whether a yes may be hard to take back: then it is never one tap, and is asked for twice. */
export function looksDestructive(question: Pick<Question, 'question' | 'detail'>): boolean {
  const { action, actionBody, toolTarget } = question.detail
  const texts = [question.question, action, actionBody, toolTarget].filter((text) => text)
  const all = texts.flatMap((text = '') => [text, unquoted(text)])
  return all.some((text) => DESTRUCTIVE.some((shape) => shape.test(text)))
}

/** As a shell reads it: `"rm" -rf`, `r\m`, `rm${IFS}-rf` are what they say without. */
function unquoted(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\$(\{IFS\}|IFS\b)/g, ' ')
    .replace(/["'\\]/g, '')
}
