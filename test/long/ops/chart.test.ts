import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

const ROOT = join(import.meta.dir, '../../..')
const CHART = join(ROOT, 'docs/ops/helm/beckon')
const SCRATCH = join(import.meta.dir, 'node_modules/.chart')
const SPRIG = '/usr/share/gocode/src/github.com/Masterminds/sprig'
const HELM = Bun.which('helm')
const GO = existsSync(SPRIG) ? Bun.which('go') : null
const IS_INSTALLED = existsSync(join(import.meta.dir, 'node_modules/kubernetes-models'))

type Resource = { apiVersion: string; kind: string; metadata: { name: string } }

/** Renders the chart with these values; what stops it is an error with its words. */
function render(values: object): Resource[] {
  const file = join(SCRATCH, 'values.yaml')
  writeFileSync(file, JSON.stringify(values))
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode' }
  const command = HELM
    ? [HELM, 'template', 'beckon', CHART, '--values', file]
    : [GO ?? 'go', 'run', join(import.meta.dir, 'render.go'), CHART, file]
  const { success, stdout, stderr } = Bun.spawnSync(command, { env })
  if (!success) throw new Error(stderr.toString())
  return parseAllDocuments(stdout.toString())
    .map((one) => one.toJS() as Resource | null)
    .filter((one) => one !== null)
}

/** What TypeScript finds wrong with them as the types of Kubernetes: unknown fields, and wrong ones. */
async function typeErrors(resources: Resource[]): Promise<string> {
  const lines: string[] = []
  for (const [index, one] of resources.entries()) {
    const [group = '', version] = one.apiVersion.includes('/')
      ? one.apiVersion.split('/')
      : ['', one.apiVersion]
    const from = join('kubernetes-models', group, version ?? '', one.kind)
    const { [one.kind]: Model } = await import(join(import.meta.dir, 'node_modules', `${from}.js`))
    new Model(one).validate()
    lines.push(`import type { I${one.kind} as K${index} } from '${from}'`)
    lines.push(`export const r${index}: K${index} = ${JSON.stringify(one)}`)
  }
  writeFileSync(join(SCRATCH, 'resources.ts'), `${lines.join('\n')}\n`)
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext']
  return Bun.spawnSync([tsc, ...options, '--ignoreConfig', 'resources.ts'], {
    cwd: SCRATCH,
  }).stdout.toString()
}

const LEAST = {
  baseUrl: 'https://beckon.example.com',
  database: { url: 'postgres://beckon:secret@db:5432/beckon' },
}

describe.skipIf(!(IS_INSTALLED && (HELM ?? GO)))(
  'with bun install in this folder, and Helm or Go with Sprig',
  () => {
    beforeAll(() => mkdirSync(SCRATCH, { recursive: true }))
    afterAll(() => rmSync(SCRATCH, { recursive: true, force: true }))

    test('what the chart makes is what Kubernetes knows', async () => {
      const resources = render({
        ...LEAST,
        ...{ database: { ...LEAST.database, listenUrl: 'postgres://direct:5432/beckon' } },
        ingress: { enabled: true, className: 'nginx', tlsSecret: 'beckon-tls' },
        secretSettings: [{ name: 'BECKON_SMTP_URL', secret: 'mail', key: 'url' }],
        imagePullSecrets: [{ name: 'registry' }],
        podAnnotations: { team: 'tools' },
        nodeSelector: { 'kubernetes.io/arch': 'amd64' },
        tolerations: [{ key: 'spot', operator: 'Exists' }],
      })
      expect(resources.map(({ kind }) => kind).sort()).toEqual([
        'Deployment',
        'Ingress',
        'PodDisruptionBudget',
        'Secret',
        'Service',
      ])
      expect(await typeErrors(resources)).toBe('')
    })

    test('a field that Kubernetes does not know is found', async () => {
      const [first = {} as Resource, ...others] = render(LEAST)
      const wrong = { ...first, metadata: { ...first.metadata, nmae: 'x' } }
      expect(await typeErrors([wrong, ...others])).toContain('nmae')
    })

    test('with a secret and one pod there is nothing more than is needed', async () => {
      const resources = render({ ...LEAST, replicas: 1, database: { existingSecret: 'mine' } })
      expect(resources.map(({ kind }) => kind).sort()).toEqual(['Deployment', 'Service'])
      expect(JSON.stringify(resources)).toContain('"secretKeyRef":{"name":"mine","key":"url"}')
      expect(await typeErrors(resources)).toBe('')
    })

    test('what is missing is said', () => {
      expect(() => render({})).toThrow('Set baseUrl')
      expect(() => render({ baseUrl: 'https://a.example' })).toThrow('Set database.existingSecret')
    })

    test.skipIf(!HELM)('helm lint finds nothing', () => {
      const file = join(SCRATCH, 'values.yaml')
      writeFileSync(file, JSON.stringify(LEAST))
      const linted = Bun.spawnSync(['helm', 'lint', '--strict', CHART, '--values', file])
      expect([linted.exitCode, linted.stdout.toString()]).toEqual([0, expect.any(String)])
    })
  },
)
