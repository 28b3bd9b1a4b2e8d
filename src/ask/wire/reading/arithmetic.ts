import type { Frame } from './frame.ts'
import type { ArithmeticExpression } from './parse.ts'
import type { Span } from './reading.ts'
import type { ShellState } from './state.ts'
import { isOrdinaryVariable } from './variables.ts'

/**
 * Reads an arithmetic expression. A shell evaluates the text of the variables in it, and runs the
 * commands in `a[$(…)]` there: a name that may stand for text is not followed.
 */
export function checkArithmetic(
  expression: ArithmeticExpression | undefined,
  state: ShellState,
  frame: Frame,
  at: Span,
): 'number' | 'part' {
  if (!expression) return 'part'
  const all = (parts: readonly ArithmeticExpression[]) => {
    const kinds = parts.map((part) => checkArithmetic(part, state, frame, at))
    return kinds.every((one) => one === 'number') ? 'number' : 'part'
  }
  switch (expression.type) {
    case 'ArithmeticBinary':
      return all([expression.left, expression.right])
    case 'ArithmeticUnary':
      return all([expression.operand])
    case 'ArithmeticTernary':
      return all([expression.test, expression.consequent, expression.alternate])
    case 'ArithmeticGroup':
      return all([expression.expression])
    case 'ArithmeticWord':
      return checkWord(expression.value, state, frame, at)
    case 'ArithmeticCommandExpansion':
      frame.readOutput(expression, state)
      frame.gap('expansion', at)
      return 'part'
  }
}

function checkWord(value: string, state: ShellState, frame: Frame, at: Span): 'number' | 'part' {
  if (/^\d{1,15}$/.test(value) || /^\$[#?$]$/.test(value)) return 'number'
  const [, name] = /^\$?\{?([A-Za-z_]\w*)\}?$/.exec(value) ?? []
  if (!name || !isOrdinaryVariable(name)) {
    frame.gap('expansion', at)
    return 'part'
  }
  if (state.isNumber(name)) {
    state.vars.set(name, { sure: 'number' })
    return 'number'
  }
  if (state.vars.has(name)) frame.gap('expansion', at)
  return 'part'
}
