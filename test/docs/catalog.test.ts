import { expect, test } from 'bun:test'
import { fileCheck } from '../../src/catalog/authoring/check-file.ts'
import { AuthoredTool } from '../../src/catalog/records/authored.ts'
import { parseYaml } from '../../src/platform/yaml/parse-yaml.ts'

const page = await Bun.file(`${import.meta.dir}/../../docs/catalog/README.md`).text()

test('the record of docs/catalog/README.md is one in which nothing is wrong', () => {
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
  const parsed = parseYaml('tools/acme-mail.yaml', yaml)
  if (Array.isArray(parsed)) throw new Error(JSON.stringify(parsed))
  expect(parsed.value).toMatchObject({ name: 'Acme Mail' })
  expect(fileCheck(AuthoredTool)(parsed) as unknown).toBe(parsed.value)
})

test('every word that docs/catalog/README.md lists after a field is one that the field knows', () => {
  for (const field of ['kind', 'auth', 'pricing', 'where'] as const) {
    const [, words = ''] = new RegExp(`^${field}: \\S+ +# (.*)$`, 'm').exec(page) ?? []
    const values: readonly string[] = AuthoredTool.properties[field].enum
    expect(words.split(', ')).toEqual([...values])
  }
})
