import { readToolArguments } from '../../platform/read-arguments.ts'
import type { AskDeps } from '../asking/ask-and-wait.ts'
import type { ToolModule } from '../tools/tool.ts'
import { leanInput } from '../wire/lean-input.ts'
import { ProposeScopeResult } from '../wire/result-fields.ts'
import { ProposeScopeInput, proposeScopeInput } from '../wire/scope-fields.ts'
import { sayQuestion } from '../wire/sentence.ts'
import { proposeScope } from './propose-scope.ts'

export const proposeScopeTool: ToolModule<AskDeps, ProposeScopeInput, ProposeScopeResult> = {
  title: 'Propose a scope',
  description: [
    'Asks the person to agree to the boundary of this working session before you start: paths you will write to, paths you will leave alone, promises, and what finished means.',
    'Use it once, at the start of longer or unattended work, or when the task grows beyond what was agreed. Not for a single step: ask_user does that.',
    'It waits up to timeoutMs, at most 55 seconds; where nextAction is wait_for_answer, call that with the correlationId once, then do what its result says.',
    'ratified: true means agreed, and contract is what was agreed, perhaps edited by the person: keep to it.',
    'answered: true with ratified: false means declined: do not go on, ask which scope they want.',
    'Paths are checked only where a hook of the client does so, promises never; repeat enforcementNote to the person when it is there.',
  ].join(' '),
  inputSchema: ProposeScopeInput,
  outputSchema: ProposeScopeResult,
  lean: {
    description: [
      'Asks the person, before longer or unattended work, to agree to what this session may touch, and waits up to 55 s.',
      'Keep to the contract in the result, which they may have edited, and repeat its enforcementNote to them. If they decline, ask which scope they want. Follow the next step in the result.',
    ].join(' '),
    inputSchema: leanInput(ProposeScopeInput, {
      doneWhen: 'What finished means.',
      sessionId: 'The session it is for.',
      allowedPaths: 'Globs you will write to; none: no limit.',
      offLimitsPaths: 'Globs you will not touch; they win.',
      promises: 'Shown, never checked.',
      agentName: '{Agent} - {project}',
      timeoutMs: '',
    }),
  },
  read: (args) => proposeScopeInput.parse(readToolArguments(ProposeScopeInput, args)),
  run: proposeScope,
  say: sayQuestion,
  withoutServer: (_, { correlationId, unread }) =>
    correlationId ? { correlationId, ...unread } : undefined,
}
