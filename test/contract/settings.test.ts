import { expect, test } from 'bun:test'
import {
  dropSetting,
  keepSetting,
  loadSecrets,
  putSetting,
  readSecrets,
  readSetting,
} from '../../src/platform/db/settings-store.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { onBothDatabases } from './both-databases.ts'

onBothDatabases('settings', (db) => {
  test('an unknown setting is undefined', async () => {
    expect(await readSetting(db().read, 'none')).toBeUndefined()
  })

  test('the first value is kept, whoever comes later reads it', async () => {
    expect(await db().write((tx) => keepSetting(tx, 'a', 'first', 1))).toBe('first')
    expect(await db().write((tx) => keepSetting(tx, 'a', 'second', 2))).toBe('first')
    expect(await readSetting(db().read, 'a')).toBe('first')
  })

  test('of many that keep at once, all hear the same value', async () => {
    const values = await Promise.all(
      Array.from({ length: 20 }, (_, i) => db().write((tx) => keepSetting(tx, 'a', `v${i}`, i))),
    )
    expect(new Set(values).size).toBe(1)
  })

  test('a put writes over what was there', async () => {
    await db().write((tx) => putSetting(tx, 'a', 'first', 1))
    await db().write((tx) => putSetting(tx, 'a', 'second', 2))
    expect(await readSetting(db().read, 'a')).toBe('second')
  })

  test('a dropped setting is gone, and dropping it again changes nothing', async () => {
    await db().write((tx) => putSetting(tx, 'a', 'one', 1))
    await db().write((tx) => putSetting(tx, 'b', 'two', 1))
    await db().write((tx) => dropSetting(tx, 'a'))
    await db().write((tx) => dropSetting(tx, 'a'))
    expect(await readSetting(db().read, 'a')).toBeUndefined()
    expect(await readSetting(db().read, 'b')).toBe('two')
  })

  test('the secrets are made once and the same ever after', async () => {
    const clock = fakeClock()
    expect(await readSecrets(db().read)).toBeUndefined()
    const both = await Promise.all([loadSecrets(db(), clock), loadSecrets(db(), clock)])
    expect(both[0]).toEqual(both[1])
    expect(await loadSecrets(db(), clock)).toEqual(both[0])
    expect(await readSecrets(db().read)).toEqual(both[0])
  })
})
