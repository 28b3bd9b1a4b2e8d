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
]

const TABLES = ['rules', 'policies', 'groups', 'groupMembers', 'providers', 'directories']
const TOKENS = ['directoryTokens', 'policyTokens', 'proposedChanges']

type Treatment = { guarded: string[] } | { open: string }

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
}

const CALL = new RegExp(`\\b(${WRITERS.join('|')})\\b(?=\\(|,)`, 'g')
const RAW = new RegExp(`\\.(insert|update|delete)\\((${[...TABLES, ...TOKENS].join('|')})\\)`, 'g')

async function filesWith(pattern: RegExp, isSkipped: (path: string) => boolean) {
  const paths: string[] = []
  for (const path of new Glob('**/*.{ts,tsx}').scanSync(SOURCE)) {
    if (isSkipped(path)) continue
    const text = await Bun.file(join(SOURCE, path)).text()
    const code = text.replace(/^(import|export) [\s\S]*?from '.*'$/gm, '')
    if (code.match(pattern)) paths.push(path)
  }
  return paths.sort()
}

test('whoever writes who may decide is guarded, or it is written down why not', async () => {
  const isStore = (path: string) => /\/model\/(store|provider-store)\.ts$/.test(path)
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
