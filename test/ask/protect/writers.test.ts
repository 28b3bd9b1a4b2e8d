import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { CHANGES } from '../../../src/ask/protect/changes.ts'

const SOURCE = join(import.meta.dir, '../../../src')

/** What writes who may decide, and who gets in to change it. */
const WRITERS = [
  ...['insertRule', 'updateRule', 'deleteRule', 'putProtect'],
  ...['insertGroup', 'putGroupName', 'putGroupSource', 'deleteGroup', 'putGroupMembers'],
  ...['putGroupsOf', 'dropFromGroups', 'addProvider', 'putProvider', 'dropProvider'],
  ...['LOCAL_SETTING', 'addDirectory', 'addDirectoryToken', 'addPolicyToken'],
  // Whose agents ask: they are left out, and rules are for the agents of some people.
  ...['putOwner', 'dropOwnerGroup', 'addToken', 'putConnection', 'putClient', 'passClientsOn'],
  // Who a person is, and whether their vote counts.
  ...['putRole', 'putOff', 'insertPerson', 'putPassword', 'addInvitation', 'addIdentity'],
  ...['addDirectoryPerson', 'putAccount'],
  // Whom rules tell, and what members see.
  ...['insertRota', 'putRota', 'deleteRota', 'insertOverride', 'deleteOverride', 'saveSubscriber'],
  ...['putVisibility'],
]

const TABLES = ['rules', 'policies', 'groups', 'groupMembers', 'providers', 'directories']
const TOKENS = ['directoryTokens', 'policyTokens', 'proposedChanges']

type Treatment = { guarded: string[] } | { open: string }

const NO_CLIENT = 'a client is a program: the token that it gets belongs to a person'
const TOLD = 'being told gives no right to decide'

/** Each file that calls one of them: by which changes it is guarded, or why it is not. */
const TREATMENTS: Readonly<Record<string, Treatment>> = {
  'ask/policy/write-rule.ts': { guarded: ['rule.add', 'rule.change', 'rule.remove'] },
  'ask/policy/protect.ts': { guarded: ['protect.set'] },
  'ask/policy/model/gone-store.ts': { open: 'a removed person is told next no more' },
  'ask/groups/groups.ts': { guarded: ['group.change', 'group.remove'] },
  'ask/groups/person-gone.ts': { open: 'leaving must always be possible' },
  'ask/policy-file/write-state.ts': { guarded: ['file.apply'] },
  'ask/policy-file/apply-file.ts': { open: 'giving back a file changes nobody in a group' },
  'ask/policy-file/policy-tokens.ts': { guarded: ['policy_token.add'] },
  'ask/company/change-providers.ts': {
    guarded: ['provider.save', 'provider.remove', 'sign_in.local'],
  },
  'ask/company/sync-groups.ts': { open: 'a provider proves who is in its own groups' },
  'ask/directory/directories.ts': { guarded: ['directory.add', 'directory.token'] },
  'ask/directory/scim-groups.ts': { open: 'a directory proves who is in its own groups' },
  'ask/people/token-owner.ts': { guarded: ['token.hand_over'] },
  'ask/people/remove-person.ts': {
    open: 'it hands over no token that is guarded; others it revokes',
  },
  'ask/tokens/agent-tokens.ts': { open: 'a new token belongs to whoever makes it' },
  'ask/oauth/authorize-client.ts': { open: 'its token belongs to whoever signs in, for good' },
  'ask/oauth/find-client.ts': { open: NO_CLIENT },
  'ask/oauth/own-clients.ts': { open: NO_CLIENT },
  'ask/oauth/register-client.ts': { open: NO_CLIENT },
  'ask/oauth/person-gone.ts': { open: NO_CLIENT },
  'ask/people/people.ts': { open: 'a role decides nothing; an auditor was in the group before' },
  'ask/people/switch-off.ts': { open: 'whoever is switched on was in the group before' },
  'ask/people/invite-person.ts': {
    open: 'a new person is in no group, and whoever decides gets no second link',
  },
  'ask/sign-in/set-up.ts': { open: 'the first person, or one with their own link' },
  'ask/company/admit.ts': { open: 'as the provider says, whose settings are guarded' },
  'ask/company/disconnect-account.ts': { open: 'takes away what the account of one person gave' },
  'ask/directory/scim-users.ts': { open: 'makes and switches people, and lets nobody in as them' },
  'ask/chat-accounts/chat-accounts.ts': { open: 'people link their own account, signed in' },
  'ask/channels/slack/connect-slack.ts': { open: TOLD },
  'ask/channels/telegram/listen.ts': { open: TOLD },
  'ask/devices/subscribe.ts': { open: TOLD },
  'ask/policy-file/resolve-rotas.ts': { open: TOLD },
  'ask/rota/change-rotas.ts': { open: TOLD },
  'ask/rota/override-rota.ts': { open: TOLD },
  'ask/rota/rest.ts': { open: TOLD },
  'ask/policy/change-visibility.ts': {
    open: 'whoever may decide a question sees it in any case',
  },
}

// A store that changes rules by another one.
const POLICY_OF_GONE = 'ask/policy/model/gone-store.ts'

const CALL = new RegExp(`\\b(${WRITERS.join('|')})\\b(?=\\(|,)`, 'g')
const RAW = new RegExp(`\\.(insert|update|delete)\\((${[...TABLES, ...TOKENS].join('|')})\\)`, 'g')

async function filesWith(pattern: RegExp, isSkipped: (path: string) => boolean) {
  const paths: string[] = []
  for (const path of new Glob('ask/**/*.{ts,tsx}').scanSync(SOURCE)) {
    if (isSkipped(path)) continue
    const text = await Bun.file(join(SOURCE, path)).text()
    const code = text.replace(/^(import|export) [\s\S]*?from '.*'$/gm, '')
    if (code.match(pattern)) paths.push(path)
  }
  return paths.sort()
}

test('whoever writes who may decide is guarded, or it is written down why not', async () => {
  const isStore = (path: string) =>
    /\/model\/([a-z]+-)?store\.ts$/.test(path) && path !== POLICY_OF_GONE
  expect(await filesWith(CALL, isStore)).toEqual(Object.keys(TREATMENTS).sort())
})

test('every guarded change can be made once people have agreed, and no other', () => {
  const guarded = Object.values(TREATMENTS).flatMap((one) => ('guarded' in one ? one.guarded : []))
  expect(guarded.sort()).toEqual(Object.keys(CHANGES).sort())
})

test('nobody writes these tables but their own stores', async () => {
  const own = [
    ...['company/model/provider-store.ts', 'directory/model/store.ts', 'groups/model/store.ts'],
    ...['policy-file/model/store.ts', 'policy/model/store.ts', 'protect/model/store.ts'],
  ]
  expect(await filesWith(RAW, () => false)).toEqual(own.map((path) => `ask/${path}`).sort())
})
