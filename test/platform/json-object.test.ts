import { expect, test } from 'bun:test'
import { readJsonObject } from '../../src/platform/json.ts'

test('an object is read from text and from bytes', () => {
  expect(readJsonObject('{"ok":true}')).toEqual({ ok: true })
  expect(readJsonObject(new TextEncoder().encode('{"word":"né"}'))).toEqual({ word: 'né' })
})

test.each([...['', '[]', '[{"ok":true}]', 'null', '1', '"ok"', 'true', '{"ok":', '<html></html>']])(
  '%p is no object',
  (text) => {
    expect(readJsonObject(text)).toBeUndefined()
  },
)

test('bytes that are no text are no object, and a name of the prototype is a name like any', () => {
  expect(readJsonObject(new Uint8Array([0xff, 0xfe, 0x00]))).toBeUndefined()
  const read = readJsonObject('{"__proto__":{"ok":true}}')
  expect(read?.ok).toBeUndefined()
})
