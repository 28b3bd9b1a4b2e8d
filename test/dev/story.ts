/** A session of an agent, as a client reports it. */
export type Session = {
  client: string
  sessionId: string
  machineId: string
  machineName: string
  agentName: string
  repoKey: string
  branch: string
}

function session(client: string, agent: string, project: string, branch: string): Session {
  const machine = client === 'codex' ? 'build-server' : 'laptop'
  return {
    client,
    sessionId: `${client}-${project}`,
    machineId: machine,
    machineName: machine,
    agentName: `${agent} - ${project}`,
    repoKey: `github.com/acme/${project}`,
    branch,
  }
}

const SHOP = session('claude', 'Claude Code', 'shop', 'checkout')
const BILLING = session('codex', 'Codex', 'billing', 'main')
const SITE = session('opencode', 'OpenCode', 'website', 'redesign')
const INFRA = session('gemini', 'Gemini CLI', 'infra', 'main')
const DOCS = session('claude', 'Claude Code', 'docs', 'typos')
const APP = session('cline', 'Cline', 'app', 'offline')

export const SESSIONS: readonly Session[] = [SHOP, BILLING, SITE, INFRA, DOCS, APP]

/** A question to ask in a session, and what becomes of it; without an end it stays open. */
export type Seed = {
  from: Session
  ask: Record<string, unknown>
  /** `approval` is held by a hook; `scope` proposes one; without it an agent asks. */
  by?: 'approval' | 'scope'
  end?: { value: string; note?: string } | 'cancelled' | 'stopped'
}

const command = (action: string, more: object = {}) => ({
  question: 'Run this command?',
  toolName: 'Bash',
  toolTarget: action.slice(0, 80),
  action,
  ...more,
})

const DIFF = `--- a/src/cart.ts
+++ b/src/cart.ts
@@ -12,7 +12,7 @@ export function total(cart: Cart): number {
-  return cart.items.reduce((sum, item) => sum + item.price, 0)
+  return cart.items.reduce((sum, item) => sum + item.price * item.count, 0)
 }`

const options = (...labels: string[]) =>
  labels.map((label) => ({ label, description: `What choosing “${label}” leads to.` }))

/** Thirty questions: every type, every origin and every end. */
export const SEEDS: readonly Seed[] = [
  { from: SHOP, ask: { question: 'Deploy build 42 to production?' } },
  {
    from: SHOP,
    ask: {
      question: 'Is the copy on the checkout page final?',
      context: 'Legal wants a longer sentence about returns. Both fit on a phone.',
    },
  },
  {
    from: SHOP,
    ask: {
      question: 'Which region first?',
      type: 'select',
      options: ['eu-west', 'us-east', 'ap-south'],
    },
  },
  {
    from: SHOP,
    ask: { question: 'Name the release', type: 'input', placeholder: 'A word or two' },
  },
  { from: SHOP, by: 'approval', ask: command('npm test', { intent: 'Make the cart count items' }) },
  {
    from: SHOP,
    by: 'approval',
    ask: {
      question: 'Change this file?',
      toolName: 'Edit',
      toolTarget: 'src/cart.ts',
      action: 'Edit src/cart.ts',
      actionBody: DIFF,
    },
  },
  { from: BILLING, by: 'approval', ask: command('rm -rf build && git push --force origin main') },
  {
    from: BILLING,
    by: 'approval',
    ask: command('psql -h db.internal -c "delete from invoices where paid"'),
  },
  {
    from: BILLING,
    ask: {
      question: 'The invoice numbers have a gap. Go on?',
      blocker: 'Number 1041 was never used',
    },
  },
  {
    from: BILLING,
    ask: {
      question: 'Which currencies?',
      questions: [
        {
          header: 'Currencies',
          question: 'Which currencies should invoices have?',
          multiSelect: true,
          options: options('EUR', 'USD', 'GBP'),
        },
      ],
    },
  },
  {
    from: SITE,
    ask: {
      question: 'Which colour?',
      questions: [
        {
          header: 'Colour',
          question: 'Which colour should buttons have?',
          multiSelect: false,
          allowOther: true,
          options: options('Blue', 'Green'),
        },
      ],
    },
  },
  {
    from: SITE,
    by: 'scope',
    ask: {
      doneWhen: 'The redesign is on every page and all tests pass',
      allowedPaths: ['src/**', 'test/**'],
      offLimitsPaths: ['src/legal/**'],
      promises: ['No new dependency'],
    },
  },
  {
    from: SITE,
    by: 'approval',
    ask: command('bun install sharp', { intent: 'Resize the pictures' }),
  },
  { from: INFRA, by: 'approval', ask: command('terraform apply -auto-approve') },
  { from: INFRA, ask: { question: 'Who is on call this weekend?', type: 'input' } },
  {
    from: INFRA,
    ask: {
      question: 'Rotate the keys of the staging cluster now?',
      context: 'They end on Sunday.',
    },
  },
  { from: APP, ask: { question: 'Ship the beta to all testers?', env: 'test' } },
  {
    from: APP,
    ask: {
      question: `A question as long as one may be: ${'should the app keep answers on the phone while it is offline, and send them later? '.repeat(5)}`,
    },
  },
  { from: SHOP, ask: { question: 'Deploy build 41?' }, end: { value: 'yes', note: 'after lunch' } },
  { from: SHOP, ask: { question: 'Deploy build 40?' }, end: { value: 'no' } },
  { from: SHOP, by: 'approval', ask: command('git push origin checkout'), end: { value: 'yes' } },
  {
    from: SHOP,
    by: 'scope',
    ask: {
      doneWhen: 'The cart counts items',
      allowedPaths: ['src/**'],
      offLimitsPaths: ['src/payment/**'],
    },
    end: { value: 'yes' },
  },
  {
    from: BILLING,
    ask: { question: 'Which bank?', type: 'select', options: ['North', 'South'] },
    end: { value: 'South' },
  },
  {
    from: BILLING,
    ask: { question: 'Name the export', type: 'input' },
    end: { value: 'invoices-2026 — “final” 🦊' },
  },
  { from: BILLING, ask: { question: 'Never mind?' }, end: 'cancelled' },
  {
    from: SITE,
    by: 'approval',
    ask: command('rm -rf node_modules'),
    end: { value: 'no', note: 'Use bun install --force' },
  },
  { from: INFRA, ask: { question: 'Go on with the migration?' }, end: 'stopped' },
  { from: DOCS, ask: { question: 'Fix the typos in the headings, too?' }, end: { value: 'yes' } },
  {
    from: DOCS,
    by: 'approval',
    ask: command('git commit -m "docs: fix typos"'),
    end: { value: 'yes' },
  },
  { from: APP, ask: { question: 'Keep the old icon?' }, end: 'cancelled' },
]

export const NOTIFICATIONS = [
  { from: SHOP, title: 'Build 41 is green', body: 'All 812 tests passed.' },
  {
    from: INFRA,
    title: 'The backup failed',
    body: 'No space left on the disk.',
    context: { type: 'error', summary: 'The nightly backup failed', errorMessage: 'ENOSPC' },
  },
] as const
