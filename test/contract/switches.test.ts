import { expect, test } from 'bun:test'
import type { Off } from '../../src/ask/subscribers/model/switch-store.ts'
import * as store from '../../src/ask/subscribers/model/switch-store.ts'
import { onBothDatabases } from './both-databases.ts'

const ANN = { workspaceId: 'ws_1', personId: 'ann' } as const
const INFO: Off = { sort: 'info', kind: 'phone' }

onBothDatabases('switches', (db) => {
  const set = (off: Off, on: boolean, of: Parameters<typeof store.setSwitch>[1] = ANN) =>
    db().write((tx) => store.setSwitch(tx, of, { ...off, on }))
  const read = async () => [...(await store.readSwitchedOff(db().read, 'ws_1'))]

  test('are kept for each person and workspace, and say whether they moved', async () => {
    expect(await read()).toEqual([])
    expect(await set(INFO, true)).toBe(false)
    expect([await set(INFO, false), await set(INFO, false)]).toEqual([true, false])
    await set({ sort: 'error', kind: 'browser' }, false, { ...ANN, personId: 'bob' })
    await set(INFO, false, { ...ANN, workspaceId: 'ws_2' })
    expect(new Map(await read())).toEqual(
      new Map([
        ['ann', [INFO]],
        ['bob', [{ sort: 'error', kind: 'browser' }]],
      ]),
    )
    expect([await set(INFO, true), await set(INFO, true)]).toEqual([true, false])
    expect((await read()).map(([person]) => person)).toEqual(['bob'])
  })
})
