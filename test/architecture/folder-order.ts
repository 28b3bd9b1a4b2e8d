/**
 * The order of the folders, the lowest first: each imports only from those before it. A file that
 * lies beside the folders has a place of its own.
 */
export const FOLDER_ORDER: Record<string, readonly string[]> = {
  src: [
    'assets.d.ts',
    'platform',
    'catalog',
    'ask',
    'agent',
    'settings.ts',
    'cli',
    'features.ts',
    'app.ts',
    'main.ts',
  ],
  'src/ask': [
    // Schemas and words of requests and results; commands read, globs matched.
    'wire',
    // Tool calls behind a gate, wherever it stands: read, decided, held, passed on, answered.
    'gate-calls',
    // Workspaces, people, tokens of agents: words, stores, limits.
    'accounts',
    // A row of the doctor.
    'check.ts',
    // The entries of the audit trail, sealed in a chain.
    'audit',
    // What a REST route is.
    'rest',
    // What a page is, and the parts that pages share.
    'pages',
    // A row of the settings page.
    'settings-row.ts',
    // What a feature gives the app to mount.
    'feature.ts',
    // What an MCP tool is.
    'tools',
    // Groups of people, which rules name.
    'groups',
    // Who is on call, by turns or by a calendar.
    'rota',
    // What a person sees of the questions of others.
    'visibility',
    // Who has to agree to a question, and their votes.
    'votes',
    // Devices that can be reached: words and stores.
    'subscribers',
    // Scopes that were agreed to, and the hooks that enforce them: stores.
    'scopes',
    // Working sessions of agents: words and stores.
    'sessions',
    // Questions: words, states, stores, and how they end.
    'questions',
    // Messages on their way to devices.
    'delivery',
    // Whom a question is told: people, groups, whoever is on call, channels.
    'telling',
    // How a workspace wants to be asked: its policy and rules.
    'policy',
    // Policy, groups and rules in one file: read, compared, tried, applied.
    'policy-file',
    // Outcomes posted to the address an agent named.
    'callbacks',
    // A yes that holds for equal calls for a while.
    'grants',
    // Turns of agents that ended, and what people told them to do next.
    'turns',
    // Questions put off by one person.
    'snooze',
    // Who else is told when nobody answers.
    'fail-over',
    // Who looks after a question for a few minutes.
    'claims',
    // People are reminded of a followed question.
    'reminders',
    // Answers by people, rules and links; withdrawals.
    'answering',
    // An approval that is used once, by the call it was for.
    'permits',
    // Signed decisions.
    'receipts',
    // Calls that wait for an answer.
    'waiting',
    // Questions opened by agents, and the tools for it.
    'asking',
    // Which sessions there are, and whether somebody is at their terminal.
    'presence',
    // How people sign in, and how agents prove who they are.
    'sign-in',
    // People invited, given a role, removed.
    'people',
    // People sign in through the provider of their company.
    'company',
    // A directory makes people, puts them into groups, and switches them off.
    'directory',
    // Changes of who may decide, proposed to those who have to agree.
    'protect',
    // Devices connected, named, switched, tested, removed.
    'devices',
    // Questions as people see and decide them.
    'inbox',
    // Messages that need no answer.
    'notifications',
    // Accounts in chats, and whose they are.
    'chat-accounts',
    // Ways to reach devices, a folder each.
    'channels',
    // Tool calls checked against rules and scopes.
    'hooks',
    // Scopes proposed by agents.
    'proposals',
    // Gates in front of MCP servers: their tools, and the calls that they hold.
    'gates',
    // The list of MCP tools.
    'agent-tools.ts',
    // The addresses at which agents call tools.
    'mcp',
    // Clients that sign in.
    'oauth',
    // The audit trail, read and verified.
    'trail',
    // What is deleted, and when.
    'retention',
    // Tokens of agents made, limited, emptied, revoked.
    'tokens',
    // Catalog tools that people and programs watch, and how they are told.
    'watches',
    // What the doctor and the health page check.
    'health',
    // The first page, the live page and the timeline.
    'home',
    // What a person does not see is not there.
    'hide-unseen.ts',
    // What becomes of the things of a removed person.
    'person-gone.ts',
    // The routes of all features.
    'mount.ts',
  ],
  'src/agent': [
    // The server's API, called from an agent's machine.
    'api-client.ts',
    // The processes above this one, and the terminal of a session.
    'processes.ts',
    'terminal.ts',
    // Our own tools, by the names that clients give them.
    'own-tools.ts',
    // The files of clients: read, and edited span by span.
    'client-files',
    // A tool call and the end of a turn, as a client sends them.
    'calls',
    // Paths in a repository.
    'paths',
    // What is remembered between two runs of a hook.
    'state',
    // Agent clients, a folder each.
    'clients',
    // MCP over standard input and output, passed on to the server.
    'bridge',
    // One run of the hook: its session, and what the server says of it.
    'session',
    // Namespaces and Landlock around a command.
    'jail',
    // MCP servers in the jail.
    'server-jail',
    // MCP servers whose tool calls a rule or a person allows.
    'gate',
    // What a call reads, writes and loses.
    'touches',
    // Turns that ended: told, held, gone on with.
    'turns',
    // The hook decides about a call.
    'hook',
    // Clients connected and disconnected, and checked.
    'setup',
    // The commands.
    'commands',
  ],
}

/** Parents whose folders have no set order, and no rings. */
export const WITHOUT_RINGS: readonly string[] = ['src/platform']
