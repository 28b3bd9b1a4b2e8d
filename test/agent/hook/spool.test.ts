import { expect, test } from 'bun:test'
import type { HookCall } from '../../../src/agent/calls/tool-call.ts'
import {
  agreeTo,
  dropCall,
  dropSession,
  putCall,
  takeAgreed,
  takeCall,
} from '../../../src/agent/hook/spool.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const LS = { toolName: 'Bash', toolInput: { command: 'ls', timeout: 5 } }

function spool(state: string, sessionId = 's1') {
  const place = { state, client: 'claude', sessionId }
  return {
    put: (toolUseId: string, at: number, call = LS) => putCall(place, { ...call, toolUseId }, at),
    take: (at: number, call = LS) => takeCall(place, call, at),
    drop: (id: string) => dropCall(place, id),
    end: () => dropSession(place),
  }
}

test('two equal calls get their own ids, each once, the newest first', () => {
  using state = tempFolder()
  const { put, take } = spool(state.path)
  put('one', 1_000)
  put('two', 2_000)
  expect([take(3_000), take(3_000), take(3_000)]).toEqual(['two', 'one', undefined])
})

test('the order of the fields does not matter, what they say does', () => {
  using state = tempFolder()
  const { put, take } = spool(state.path)
  put('one', 1_000)
  const turned = { toolName: 'Bash', toolInput: { timeout: 5, command: 'ls' } }
  expect(
    take(1_000, { toolName: 'Bash', toolInput: { timeout: 5, command: 'rm' } }),
  ).toBeUndefined()
  expect(take(1_000, { ...turned, toolName: 'Shell' })).toBeUndefined()
  expect(take(1_000, turned)).toBe('one')
})

test('an id is of no use in another session, after ten minutes, or when its call is over', () => {
  using state = tempFolder()
  const { put, take, drop, end } = spool(state.path)
  put('one', 0)
  expect(spool(state.path, 's2').take(1)).toBeUndefined()
  expect(take(600_001)).toBeUndefined()
  put('two', 600_001)
  drop('two')
  expect(take(600_002)).toBeUndefined()
  put('three', 600_003)
  end()
  expect(take(600_004)).toBeUndefined()
})

test('a yes to a call counts once, and never for the same call in another folder', () => {
  using state = tempFolder()
  const place = { state: state.path, client: 'claude', sessionId: 's1' }
  const here = { ...LS, cwd: '/home/u/proj' } as unknown as HookCall
  agreeTo(place, here, 0)
  expect(takeAgreed(place, { ...here, cwd: '/home/u' }, Date.now())).toBeUndefined()
  expect(takeAgreed(place, here, Date.now())).toBe('allow')
  expect(takeAgreed(place, here, Date.now())).toBeUndefined()
})

test('a yes after which the prompt still stands says so, and is over with its call', () => {
  using state = tempFolder()
  const place = { state: state.path, client: 'claude', sessionId: 's1' }
  const call = { ...LS, cwd: '/home/u/proj', toolUseId: 'use-1' } as unknown as HookCall
  agreeTo(place, call, 0, 'stays')
  expect(takeAgreed(place, call, Date.now())).toBe('stays')
  agreeTo(place, call, 0)
  dropCall(place, 'use-2')
  agreeTo({ ...place, sessionId: 's2' }, call, 0)
  dropCall(place, 'use-1')
  expect(takeAgreed(place, call, Date.now())).toBeUndefined()
  expect(takeAgreed({ ...place, sessionId: 's2' }, call, Date.now())).toBe('allow')
})
