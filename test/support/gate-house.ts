import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { answerQuestion } from '../../src/ask/answering/answer-question.ts'
import { stopAgent } from '../../src/ask/answering/stop-agent.ts'
import { listAbout } from '../../src/ask/audit/model/store.ts'
import { readQuestion } from '../../src/ask/inbox/read-questions.ts'
import { addRule } from '../../src/ask/policy/change-policy.ts'
import type { RuleInput } from '../../src/ask/policy/write-rule.ts'
import type { Question } from '../../src/ask/questions/model/question.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { writeClientFile } from '../../src/platform/config/client-file.ts'
import { confirmTool } from './confirm-tool.ts'
import { connect } from './devices.ts'
import { type GateProcess, gateProcess } from './gate-process.ts'
import { noSender } from './no-sender.ts'
import { onEnded } from './on-ended.ts'
import { pushServer } from './push-server.ts'
import { readInbox } from './read-inbox.ts'
import { tempFolder } from './temp-folder.ts'
import { until } from './until.ts'
import { type WholeServer, wholeServer } from './whole-server.ts'

/** A Beckon server with a person and a phone, and a machine with a gated server. */
export type GateHouse = AsyncDisposable & {
  house: WholeServer
  home: string
  env: Record<string, string>
  /** `beckon gate toy` before a server, after its handshake. */
  start(more?: Parameters<typeof gateProcess>[0], words?: string[]): Promise<GateProcess>
  /** The tool calls that the server has run: name and arguments. */
  ran(): unknown[]
  /** The open questions of now. */
  open(): Promise<Question[]>
  /** The open questions, once there are so many. */
  asked(count?: number): Promise<Question[]>
  look(question: Question | undefined): Promise<Question>
  answer(question: Question | undefined, value: 'yes' | 'no', note?: string): Promise<void>
  /** Any answer but yes and no. */
  reply(question: Question | undefined, value: string): Promise<void>
  stop(question: Question | undefined): Promise<void>
  rule(rule: RuleInput): Promise<void>
  /** An owner has confirmed these tools as they are: their calls are not asked about. */
  confirm(...tools: string[]): Promise<void>
  /** What the audit trail has of the permits of a question. */
  permits(question: Question | undefined): Promise<string[]>
}

export async function gateHouse({ phone = true } = {}): Promise<GateHouse> {
  const push = await pushServer()
  const house = await wholeServer({ env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } })
  const { workspaceId, app } = house
  const { db } = app
  if (phone) await connect(db, { workspaceId, ...push.subscribe('browser') })
  const folder = tempFolder()
  const home = realpathSync(folder.path)
  writeClientFile(
    { url: house.url, token: await house.token(), machineId: 'm_test' },
    { HOME: home },
  )
  const project = join(home, 'shop')
  mkdirSync(project)
  const record = join(home, 'ran.jsonl')
  const env = { HOME: home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '', RAN: record }
  const deps = { db, clock, onEnded: onEnded(noSender) }
  const processes = new Set<GateProcess>()
  const idOf = (question: Question | undefined) => question?.id ?? 'q_none'

  return {
    ...{ house, home, env },
    async start({ env: more, ...options } = {}, words) {
      const gate = gateProcess({ cwd: project, ...options, env: { ...env, ...more } }, words)
      processes.add(gate)
      await gate.begin()
      return gate
    },
    ran() {
      if (!existsSync(record)) return []
      // The last line may not be whole yet.
      const lines = readFileSync(record, 'utf8').split('\n').slice(0, -1)
      return lines.map((line) => JSON.parse(line))
    },
    open: () => readInbox(deps, workspaceId),
    async asked(count = 1) {
      let questions: Question[] = []
      await until(async () => {
        questions = await readInbox(deps, workspaceId)
        return questions.length === count
      })
      return questions
    },
    async look(question) {
      const entry = await readQuestion(deps, { workspaceId }, idOf(question))
      if (!entry) throw new Error('no such question')
      return entry
    },
    async answer(question, value, note) {
      const questionId = idOf(question)
      await answerQuestion(deps, { workspaceId, questionId, value, ...(note ? { note } : {}) })
    },
    async reply(question, value) {
      await answerQuestion(deps, { workspaceId, questionId: idOf(question), value })
    },
    async stop(question) {
      await stopAgent(deps, { workspaceId, questionId: idOf(question) })
    },
    async rule(rule) {
      await addRule(deps, workspaceId, rule)
    },
    async confirm(...tools) {
      for (const tool of tools) await confirmTool(db, workspaceId, tool)
    },
    async permits(question) {
      const about = { subjectId: idOf(question) }
      const kinds = ['permit.used', 'permit.outcome'] as const
      const rows = await Promise.all(kinds.map((kind) => listAbout(db.read, { ...about, kind }, 9)))
      return rows.flat().map(({ kind, detail }) => (kind === 'permit.used' ? 'used' : `${detail}`))
    },
    async [Symbol.asyncDispose]() {
      for (const gate of processes) await gate[Symbol.asyncDispose]()
      await house[Symbol.asyncDispose]()
      await push[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}
