import { expect, test } from 'bun:test'
import { asc, count, eq, inArray, lt } from 'drizzle-orm'
import { user } from '../../src/ask/accounts/model/auth-tables.ts'
import { workspaces } from '../../src/ask/accounts/model/table.ts'
import { settings } from '../../src/platform/db/table.ts'
import { onBothDatabases } from './both-databases.ts'

onBothDatabases('the database', (db) => {
  const setting = (name: string, value = 'v', updatedAt = 1) => ({ name, value, updatedAt })

  test('what was written is read back with its types', async () => {
    const moment = 1_800_000_000_123
    await db().write((tx) => tx.insert(settings).values(setting('a', '1', moment)))
    expect(await db().read.select().from(settings)).toEqual([setting('a', '1', moment)])
  })

  test('flags and dates come back as they went in, an empty column as null', async () => {
    const at = new Date('2026-01-31T12:00:00.123Z')
    const row = {
      id: 'p1',
      name: 'Ada',
      email: 'ada@example.com',
      emailVerified: true,
      image: null,
      createdAt: at,
      updatedAt: at,
    }
    await db().write((tx) => tx.insert(user).values(row))
    expect(await db().read.select().from(user)).toEqual([row])
  })

  test('text with quotes, emoji and many bytes survives', async () => {
    const value = `' " ; -- 🙂 é \n\t ${'x'.repeat(10_000)}`
    await db().write((tx) => tx.insert(settings).values(setting('a', value)))
    expect((await db().read.select().from(settings))[0]?.value).toBe(value)
  })

  test('a write that throws leaves nothing behind and rings nobody', async () => {
    const heard: string[] = []
    const off = db().changes.on('question', undefined, (id) => heard.push(id))
    const failing = db().write(async (tx) => {
      await tx.insert(settings).values(setting('a'))
      tx.emit('question', 'q_1')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    off()
    expect(await db().read.select().from(settings)).toEqual([])
    expect(heard).toEqual([])
  })

  test('a ring is heard after the commit, when the row can be read', async () => {
    const seen = Promise.withResolvers<unknown[]>()
    const off = db().changes.on('question', 'q_1', async () => {
      seen.resolve(await db().read.select().from(settings))
    })
    await db().write(async (tx) => {
      await tx.insert(settings).values(setting('a'))
      tx.emit('question', 'q_1')
    })
    expect(await seen.promise).toHaveLength(1)
    off()
  })

  test('a transaction reads its own writes', async () => {
    const names = await db().write(async (tx) => {
      await tx.lock('names')
      await tx.insert(settings).values(setting('a'))
      return tx.select({ name: settings.name }).from(settings)
    })
    expect(names).toEqual([{ name: 'a' }])
  })

  test('of writes that start together each one counts', async () => {
    await db().write((tx) => tx.insert(settings).values(setting('n', '', 0)))
    await Promise.all(
      Array.from({ length: 25 }, () =>
        db().write(async (tx) => {
          await tx.lock('n')
          const [row] = await tx.select().from(settings).where(eq(settings.name, 'n'))
          await tx.update(settings).set({ updatedAt: (row?.updatedAt ?? 0) + 1 })
        }),
      ),
    )
    expect((await db().read.select().from(settings))[0]?.updatedAt).toBe(25)
  })

  test('a conflict that is passed over returns no row', async () => {
    const insert = () =>
      db().write((tx) =>
        tx
          .insert(workspaces)
          .values({ id: 'ws_1', name: 'home', createdAt: 1 })
          .onConflictDoNothing()
          .returning(),
      )
    expect(await insert()).toHaveLength(1)
    expect(await insert()).toEqual([])
  })

  test('a value that must be unique is refused the second time', async () => {
    const insert = (id: `ws_${string}`) =>
      db().write((tx) => tx.insert(workspaces).values({ id, name: 'home', createdAt: 1 }))
    await insert('ws_1')
    const again = insert('ws_2').then(
      () => 'stored',
      () => 'refused',
    )
    expect(await again).toBe('refused')
    expect(await db().read.select().from(workspaces)).toHaveLength(1)
  })

  test('text sorts by its bytes, capitals before small letters', async () => {
    const names = ['b', 'A', 'a', 'Z', '_', 'ä', '1', 'a-b', 'ab']
    await db().write((tx) => tx.insert(settings).values(names.map((name) => setting(name))))
    const rows = await db().read.select().from(settings).orderBy(asc(settings.name))
    expect(rows.map((row) => row.name)).toEqual(['1', 'A', 'Z', '_', 'a', 'a-b', 'ab', 'b', 'ä'])
    const before = await db().read.select().from(settings).where(lt(settings.name, 'a'))
    expect(before).toHaveLength(4)
  })

  test('lists and counts are numbers and arrays on both', async () => {
    const names = ['a', 'b', 'c']
    await db().write((tx) => tx.insert(settings).values(names.map((name) => setting(name))))
    const some = db()
      .read.select({ n: count() })
      .from(settings)
      .where(inArray(settings.name, ['a', 'c', 'x']))
    expect(await some).toEqual([{ n: 2 }])
  })

  test('a claim passes over nothing that is free', async () => {
    await db().write((tx) => tx.insert(settings).values([setting('a'), setting('b')]))
    const claimed = await db().write((tx) =>
      tx.skipLocked(tx.select().from(settings).orderBy(asc(settings.name)).limit(1)),
    )
    expect(claimed.map((row) => row.name)).toEqual(['a'])
  })

  test('update and delete tell which rows they changed', async () => {
    await db().write((tx) => tx.insert(settings).values([setting('a'), setting('b')]))
    const changed = await db().write((tx) =>
      tx.update(settings).set({ value: 'w' }).where(eq(settings.name, 'a')).returning(),
    )
    expect(changed).toEqual([setting('a', 'w')])
    const gone = await db().write((tx) =>
      tx.delete(settings).where(eq(settings.value, 'w')).returning({ name: settings.name }),
    )
    expect(gone).toEqual([{ name: 'a' }])
    expect(await db().read.select().from(settings)).toEqual([setting('b')])
  })
})
