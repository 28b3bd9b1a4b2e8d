import { answerQuestion } from '../../src/ask/answering/answer-question.ts'
import { checkGateCall } from '../../src/ask/gates/check-gate-call.ts'
import type { Gate } from '../../src/ask/gates/model/gate.ts'
import { reportTools } from '../../src/ask/gates/report-tools.ts'
import { consumePermit, issuePermit } from '../../src/ask/permits/permits.ts'
import { addRule } from '../../src/ask/policy/change-policy.ts'
import type { Rule } from '../../src/ask/policy/model/rule.ts'
import type { Question } from '../../src/ask/questions/model/question.ts'
import { findQuestion } from '../../src/ask/questions/model/store.ts'
import type { GateCall, GateCallReply, ListedTool } from '../../src/ask/wire/gate-fields.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { gatedToolName } from '../../src/ask/wire/tool-fingerprint.ts'
import { omitUndefined } from '../../src/platform/json.ts'
import { sha256 } from '../../src/platform/signing/sha256.ts'
import { type FlowWorld, flowWorld } from './flow-world.ts'
import { readInbox } from './read-inbox.ts'

export const SERVER = JSON.stringify(['npx', '-y', 'server-fs', '/home/ana/shop'])
export const READ: ListedTool = {
  name: 'read_file',
  title: 'Read file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  annotations: { readOnlyHint: true },
}
export const WRITE: ListedTool = {
  name: 'write_file',
  description: 'Writes a file.',
  annotations: { readOnlyHint: false, destructiveHint: true },
}

export function aGate(changes: Partial<Gate> = {}): Gate {
  return {
    id: 'gate_1',
    workspaceId: 'ws_1',
    name: 'fs',
    serverHash: 'a',
    server: 'npx server-fs',
    machineId: undefined,
    machineName: undefined,
    instructions: undefined,
    instructionsHash: undefined,
    confirmedInstructions: undefined,
    createdAt: 1_000,
    seenAt: 1_000,
    toldAt: undefined,
    ...changes,
  }
}

export type GateWorld = FlowWorld & {
  /** The server lists these tools. */
  list(...tools: ListedTool[]): ReturnType<typeof reportTools>
  /** An agent calls a tool; the gate sends what it was listed last, unless `more` says otherwise. */
  held(
    tool: string,
    input?: object,
    more?: { [K in keyof GateCall]?: GateCall[K] | undefined },
  ): Promise<GateCallReply>
  rule(rule: Partial<Pick<Rule, 'match' | 'decision' | 'approve'>>): Promise<Rule>
  answer(reply: GateCallReply, value: 'yes' | 'no', note?: string): Promise<void>
  /** The gate uses the yes up, as it does right before it forwards the call. */
  use(reply: GateCallReply, actionHash?: string): Promise<void>
  question(reply: GateCallReply): Promise<Question>
  open(): Promise<number>
}

export async function gateWorld(): Promise<GateWorld> {
  const world = await flowWorld()
  const { deps, db, call } = world
  await world.device('phone')
  const { workspaceId } = call().caller
  const fingerprints = new Map<string, string>()
  const idOf = ({ question }: GateCallReply) => question?.correlationId as QuestionId
  return {
    ...world,
    async list(...tools) {
      const report = { server: SERVER, machineId: 'm1', machineName: 'ana’s laptop', tools }
      const reply = await reportTools(deps, 'fs', report, call())
      for (const { name, fingerprint } of reply.tools) fingerprints.set(name, fingerprint)
      return reply
    },
    async held(tool, input = {}, more = {}) {
      const text = JSON.stringify(input)
      const request = omitUndefined({
        server: SERVER,
        tool,
        fingerprint: fingerprints.get(tool) ?? null,
        argumentsHash: sha256(text),
        arguments: text === '{}' ? 'none' : 'plain',
        action: `${gatedToolName('fs', tool)} ${text}`,
        sessionId: 's1',
        machineId: 'm1',
        cwd: '/home/ana/shop',
        holdMs: 600_000,
        timeoutMs: 1_000,
        ...more,
      }) as GateCall
      const reply = checkGateCall(deps, 'fs', request, call())
      reply.catch(() => {})
      await world.clock.advance(1_000)
      return await reply
    },
    rule: (rule) => addRule(deps, workspaceId, { match: {}, set: {}, ...rule }),
    async answer(reply, value, note) {
      await answerQuestion(deps, { workspaceId, questionId: idOf(reply), value, note })
    },
    async use(reply, actionHash = reply.actionHash) {
      const { caller } = call()
      const { id } = await issuePermit(deps, caller, idOf(reply), actionHash)
      await consumePermit(deps, caller, id, actionHash)
    },
    async question(reply) {
      const question = await findQuestion(db.read, workspaceId, idOf(reply))
      if (!question) throw new Error('nothing was asked')
      return question
    },
    open: async () => (await readInbox(deps, workspaceId)).length,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}
