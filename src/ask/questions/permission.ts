import type { Question } from './question.ts'

/** An approval of a tool call, by what only such a call brings (QS-RULE-5). */
export function isPermission({ key, detail }: Pick<Question, 'key' | 'detail'>): boolean {
  const { toolTarget, toolPath, permissionMode, scopePath } = detail
  const marks = [toolTarget, toolPath, permissionMode, scopePath]
  return key?.startsWith('tool:') || marks.some((mark) => mark !== undefined)
}
