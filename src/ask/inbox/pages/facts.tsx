/** @jsxImportSource preact */
import { Icon } from '../../../platform/web/icon.tsx'
import { ActionBody, CodeLines } from '../../pages/action-body.tsx'
import { Fact } from '../../pages/fact.tsx'
import { MarkedCommand, SafeText } from '../../pages/marked.tsx'
import { ToolArguments } from '../../pages/tool-arguments.tsx'
import type { ServerRecord } from '../../pages/visit.ts'
import { asEdited } from '../../questions/model/edit.ts'
import { isProposal, type Question } from '../../questions/model/question.ts'
import { isCommand } from '../../questions/model/title.ts'
import { contractOf, type Ratified } from '../../scopes/model/contract.ts'
import { shortPaths } from '../../scopes/model/read-globs.ts'
import type { Contract } from '../../wire/contract.ts'
import { mixesScripts } from '../../wire/matcher/spelling.ts'
import { argumentsOf } from '../../wire/tool-arguments.ts'
import { type ToolSettings, widens } from '../../wire/tool-settings.ts'
import { ToolFacts, ToolNews } from './gated-call.tsx'

/** Shows the facts that a person needs before a yes: the action first, then why it is asked. */
export function Facts({
  question,
  repository,
  ratified,
  record,
}: {
  question: Question
  /** The name of its repository for people. */
  repository: string | undefined
  ratified?: Ratified | undefined
  /** The server behind its gate, in the catalog. */
  record?: ServerRecord | undefined
}) {
  const {
    action,
    blocker,
    intent,
    toolName,
    toolTarget,
    toolPath,
    scopePath,
    contract,
    toolSettings,
    gate,
  } = question.detail
  const deed = asEdited(question, question.detail.edited)
  const tool = [toolName, toolTarget].filter(Boolean).join(' · ')
  return (
    <>
      <ToolNews gate={gate} />
      <Deed detail={deed.detail} title={isProposal(question) ? 'The change' : undefined} />
      <dl class="facts">
        {scopePath && (
          <Fact name="Outside the agreed scope">
            <PathName path={scopePath} />
          </Fact>
        )}
        {toolPath && toolPath !== scopePath && (
          <Fact name="File">
            <PathName path={toolPath} />
          </Fact>
        )}
        <Stakes detail={question.detail} />
        {blocker && (
          <Fact name="Blocked because">
            <SafeText text={blocker} />
          </Fact>
        )}
        {repository && <Fact name="Repository">{repository}</Fact>}
        {intent && <Fact name="Your task">{intent}</Fact>}
        <SettingFacts settings={toolSettings} />
        {tool && !action && <Fact name="Tool">{tool}</Fact>}
        {ratified?.edited && <Fact name="Paths">Edited before they were agreed to</Fact>}
        {contract && <Proposal contract={ratified ? contractOf(ratified) : contract} />}
      </dl>
      <ToolFacts gate={gate} record={record} />
    </>
  )
}

/** What a yes does, in the words of the program. */
export function Stakes({ detail: { effect, risk } }: Pick<Question, 'detail'>) {
  return (
    <>
      {effect && (
        <Fact name="Effect">
          <SafeText text={effect} />
        </Fact>
      )}
      {risk && <Fact name="Risk">{RISK_WORDS[risk]}</Fact>}
    </>
  )
}

const RISK_WORDS = { low: 'Low', medium: 'Medium', high: 'High' } as const

/** What a yes does: the command or change, or a tool with its arguments. */
export function Deed({ detail, title }: Pick<Question, 'detail'> & { title?: string | undefined }) {
  const { action, actionBody, toolName, toolPath } = detail
  const values = argumentsOf(detail)
  const shell = isCommand(detail)
  return (
    <>
      {action && (
        <div class="deed">
          <p>About to do</p>
          <code>{values ? toolName : <MarkedCommand text={action} shell={shell} />}</code>
          {values && <ToolArguments values={values} body={actionBody} />}
        </div>
      )}
      {actionBody && !values && title && <CodeLines name={title} text={actionBody} colours={[]} />}
      {actionBody && !values && !title && (
        <ActionBody text={actionBody} shell={shell} path={toolPath} />
      )}
    </>
  )
}

/** Lists the arguments of a tool beside its command or change. */
export function Settings({ settings }: { settings: ToolSettings | undefined }) {
  if (!settings) return null
  return (
    <dl class="facts">
      <SettingFacts settings={settings} />
    </dl>
  )
}

function SettingFacts({ settings = [] }: { settings: ToolSettings | undefined }) {
  return (
    <>
      {settings.map((setting) => (
        <Fact name={setting.name}>
          <code>{setting.value}</code>
          {widens(setting) && (
            <p class="unwatched">
              <Icon name="warning" />
              <span>With this the call may do more than usual.</span>
            </p>
          )}
        </Fact>
      ))}
    </>
  )
}

/** The terms of a contract, as facts. */
export function Proposal({ contract }: { contract: Contract }) {
  return (
    <>
      <Fact name="May change">
        <Paths paths={shortPaths(contract.allowedPaths)} none="Any path of the project" />
      </Fact>
      <Fact name="Must not touch">
        <Paths paths={shortPaths(contract.offLimitsPaths)} none="Nothing is off limits" />
      </Fact>
      <Fact name="Done when">{contract.doneWhen}</Fact>
      {contract.promises && contract.promises.length > 0 && (
        <Fact name="Promises, not checked">
          <ul>
            {contract.promises.map((promise) => (
              <li>{promise}</li>
            ))}
          </ul>
        </Fact>
      )}
    </>
  )
}

function PathName({ path }: { path: string }) {
  return (
    <>
      <code>{path}</code>
      {mixesScripts(path) && (
        <p class="unwatched">
          <Icon name="warning" />
          <span>
            This path contains letters that look like others: Latin ones beside Cyrillic or Greek.
          </span>
        </p>
      )}
    </>
  )
}

function Paths({ paths, none }: { paths: string[]; none: string }) {
  if (paths.length === 0) return <>{none}</>
  return (
    <ul class="paths">
      {paths.map((path) => (
        <li>
          <PathName path={path} />
        </li>
      ))}
    </ul>
  )
}

// Longer questions in the largest size would fill the whole screen of a phone.
const LONG_CHARS = 140

/** Returns true if a question is shown one size smaller. */
export function isLong({ question }: Question): boolean {
  return question.length > LONG_CHARS
}
