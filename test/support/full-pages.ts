import { addRule, setPolicy } from '../../src/ask/policy/change-policy.ts'
import type { Question } from '../../src/ask/questions/model/question.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { PageWorld } from './page-world.ts'

/** A question with `text` in every field that a page shows. */
function everywhere(text: string): Partial<Question> {
  return {
    question: text,
    agentName: `${text} - ${text}`,
    endReason: text,
    note: text,
    choices: [{ label: text, description: text }, { label: 'B' }],
    detail: {
      placeholder: text,
      context: text,
      action: text,
      actionBody: `@@ ${text}\n+${text}\n-${text}\n▇▇▇ (${text})`,
      blocker: text,
      intent: text,
      header: text,
      toolName: text,
      toolTarget: text,
      toolPath: text,
      scopePath: text,
      contract: { allowedPaths: [text], offLimitsPaths: [text], doneWhen: text, promises: [text] },
    },
  }
}

/** Fills the world with `text` in every field, and names the pages that show it. */
export async function pagesFull(world: PageWorld, text: string): Promise<string[]> {
  const fields = everywhere(text)
  const rich = { ...fields, type: 'select' as const }
  const severalDetail = { ...fields.detail, multiSelect: true, allowOther: true }
  const ids = [
    await world.ask({ ...fields, question: `rm -rf / ${text}` }),
    await world.ask({ ...fields, type: 'input' }),
    await world.ask(rich),
    await world.ask({ ...rich, detail: severalDetail }),
    await world.ask({ ...fields, type: 'input', status: 'answered', value: text, endedAt: 1 }),
    await world.ask({ ...fields, status: 'cancelled', endedAt: 1 }),
  ]
  const list = [text]
  const { id } = await world.tell({
    title: text,
    body: text,
    agentName: text,
    url: text.startsWith('<') ? `javascript:window.broken=1//${text}` : `https://x.example/${text}`,
    imageUrl: `data:text/html,${text}`,
    context: {
      type: 'error',
      summary: text,
      details: list,
      errorMessage: text,
      errorFile: text,
      filesChanged: list,
      nextSteps: text,
    },
  })
  const { db, workspaceId } = world
  const session = { machineId: text, sessionId: text, agentName: `${text} - ${text}` }
  const working = await world.work({
    ...session,
    repoKey: text,
    branch: text,
    intent: text,
    machineName: text,
    lastAction: text,
  })
  await world.ask({ ...fields, ...session })
  const agreed = { origin: 'scope', status: 'answered', value: 'yes', endedAt: Date.now() } as const
  await world.ask({ ...fields, ...session, ...agreed })
  await world.tell({ ...session, title: text, body: text })
  const deps = { db, clock: systemClock }
  const match = {
    repoKey: text,
    toolName: text,
    toolTarget: text,
    agentName: text,
    machineId: text,
  }
  const rule = await addRule(deps, workspaceId, { match, set: { tags: [text] } })
  await setPolicy(deps, workspaceId, { targeting: { tags: [text] } })
  const path = encodeURIComponent(text)
  const imagined = Object.keys(match).map((name) => `${name}=${path}`)
  return [
    ...ids.map((question) => `/d/${question}`),
    `/n/${id}`,
    `/d/${path}`,
    `/activity?q=${path}`,
    `/sign-in?next=${path}`,
    `/setup?key=${path}`,
    `/live/${working}`,
    '/sessions',
    '/settings/policy',
    `/settings/policy?asks=permission&test=${path}&${imagined.join('&')}`,
    `/settings/rules?asks=${path}&${imagined.join('&')}`,
    `/settings/rules/${rule.id}`,
    '/settings/rules/new',
  ]
}
