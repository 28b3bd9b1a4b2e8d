import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { PersonId } from '../../src/ask/accounts/model/ids.ts'
import type { Person } from '../../src/ask/accounts/model/person.ts'
import { answerQuestion } from '../../src/ask/answering/answer-question.ts'
import { listAbout } from '../../src/ask/audit/model/store.ts'
import { changeUpstream } from '../../src/ask/gates/change-upstreams.ts'
import { readQuestion } from '../../src/ask/inbox/read-questions.ts'
import { addRule } from '../../src/ask/policy/change-policy.ts'
import type { RuleInput } from '../../src/ask/policy/write-rule.ts'
import type { Question } from '../../src/ask/questions/model/question.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { createGuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'
import { confirmTool } from './confirm-tool.ts'
import { connect } from './devices.ts'
import { type HttpMcpServer, httpMcpServer } from './http-mcp-server.ts'
import { noSender } from './no-sender.ts'
import { onEnded } from './on-ended.ts'
import { pushServer } from './push-server.ts'
import { readInbox } from './read-inbox.ts'
import { until } from './until.ts'
import { type WholeServer, wholeServer } from './whole-server.ts'

type OldOrModern = Client | ModernClient

/** A Beckon server with a person and a phone, and a server of the SDK behind its gate `toy`. */
export type HttpGateWorld = AsyncDisposable & {
  house: WholeServer
  toy: HttpMcpServer
  token: string
  /** The address of the gate. */
  url: string
  headers(more?: Record<string, string>): Record<string, string>
  /** A client of the SDK in the era of the server, that has listed the tools. */
  client(more?: Record<string, string>, url?: string): Promise<Client>
  asked(count?: number): Promise<Question[]>
  look(question: Question | undefined): Promise<Question>
  answer(question: Question | undefined, value: 'yes' | 'no', note?: string): Promise<void>
  rule(rule: RuleInput): Promise<void>
  confirm(...tools: string[]): Promise<void>
  permits(question: Question | undefined): Promise<string[]>
}

const OWNER = { id: 'owner', name: 'Ada', email: 'ada@example.com', role: 'owner' } as const

export async function httpGateWorld(era: 'old' | 'modern' = 'old'): Promise<HttpGateWorld> {
  const push = await pushServer()
  const house = await wholeServer({ env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } })
  const toy = await httpMcpServer(era)
  const { workspaceId, app } = house
  const { db } = app
  await connect(db, { workspaceId, ...push.subscribe('browser') })
  const outside = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
  const owner = { ...OWNER, id: OWNER.id as PersonId, workspaceId } as unknown as Person
  await changeUpstream({ db, clock, outside }, owner, {
    ...{ name: 'toy', url: toy.url, headerName: 'X-Toy-Key', secret: 'toy-secret' },
  })
  const token = await house.token()
  const url = `${house.url}/gate/toy`
  const deps = { db, clock, onEnded: onEnded(noSender) }
  const clients = new Set<OldOrModern>()
  const idOf = (question: Question | undefined) => question?.id ?? 'q_none'
  const headers = (more: Record<string, string> = {}) => ({
    authorization: `Bearer ${token}`,
    ...more,
  })

  return {
    ...{ house, toy, token, url, headers },
    async client(more, at = url) {
      const requestInit = { headers: headers(more) }
      const client =
        era === 'old'
          ? new Client({ name: 'sdk', version: '1' })
          : new ModernClient(
              { name: 'sdk', version: '1' },
              { versionNegotiation: { mode: 'auto' } },
            )
      const transport =
        era === 'old'
          ? new StreamableHTTPClientTransport(new URL(at), { requestInit })
          : new ModernTransport(new URL(at), { requestInit })
      await client.connect(transport as never)
      clients.add(client)
      await client.listTools()
      return client as Client
    },
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
      for (const client of clients) await client.close()
      await house[Symbol.asyncDispose]()
      await toy[Symbol.asyncDispose]()
      await push[Symbol.asyncDispose]()
    },
  }
}
