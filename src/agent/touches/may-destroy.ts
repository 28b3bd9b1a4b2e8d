import type { Gap, Reading } from '../../ask/wire/reading/reading.ts'
import { SPECIAL } from '../../ask/wire/reading/special.ts'

const NAMES = 'git|rm|mv|find|tar|rsync|shred|unlink'
const DESTROYS = new RegExp(`^(${NAMES})$`)
// A program that destroys work, where a command may begin, with a word after it.
const COMMAND = new RegExp(`(^|[\\s;&|(\`'"{$])(${NAMES})\\b["']?\\s+[^\\s=(]`, 'im')
const ANYWHERE = new RegExp(`(?<![.\\w-])(${NAMES})\\b`, 'i')
// Behind a program that is not known.
const BY_GIT = /\b(reset|clean|stash|restore)\b/
// In code of another language `find` is a word like others.
const IN_CODE =
  /\bgit\b[^\n]{0,40}\b(reset|clean|checkout|restore|stash|switch|branch|push)\b|\brm\b["',\s[]{1,8}-\w*[rf]/
const OTHER_LANGUAGE =
  /^(python|pypy|node|bun|deno|ruby|perl|php|lua|tsx|ts-node|Rscript|[gm]?awk|sed|jq|sqlite3|psql|mysql)[\d.]*$/
/** Returns true if the unread part of an open text names a program that destroys work. */
export function mayDestroy(text: string, { commands, redirects, open }: Reading): boolean {
  const isUnnamed = open.some(({ why }) => why === 'program word')
  const isFed = isUnnamed || open.some(({ why, name }) => why === 'input' && name !== 'git')
  let rest = text
  for (const { program, does, at } of commands) {
    const source = text.slice(...at)
    const isPlain =
      !Object.hasOwn(SPECIAL, program) && ((does === 'says' && !isFed) || does === 'reads')
    if (DESTROYS.test(program) || (isPlain && !/\$\(|`|[<>]\(/.test(source)))
      rest = rest.slice(0, at[0]) + ' '.repeat(source.length) + rest.slice(at[1])
  }
  for (const { body } of isFed ? [] : redirects) if (body) rest = rest.replace(body, '')
  if (open.every(isOtherLanguage)) return IN_CODE.test(rest)
  // Under another name it is called without a word after it.
  const isRenamed = open.some(({ why }) => why === 'definition')
  if (isRenamed && ANYWHERE.test(rest)) return true
  return COMMAND.test(rest) || (isUnnamed && BY_GIT.test(rest))
}

function isOtherLanguage({ why, name = '' }: Gap): boolean {
  return (why === 'code' || why === 'input') && OTHER_LANGUAGE.test(name)
}
