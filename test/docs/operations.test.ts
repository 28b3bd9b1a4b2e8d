import { expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseXml, XmlElement } from '@rgrove/parse-xml'
import { Ajv } from 'ajv'
import { Glob } from 'bun'
import { parse } from 'yaml'
import { STOP_SECONDS } from '../../src/cli/service/manager.ts'
import { DRAIN_MAX } from '../../src/platform/config/server-settings.ts'
import { configReader } from '../../src/settings.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { page } from './blocks.ts'

/** Name, type and labels of every metric, as docs/metrics.md has them (test/ask/http/metrics.test.ts). */
async function metrics() {
  const rows = (await page('docs/metrics.md')).matchAll(/^\| `(\w+)` \| (\w+) \| ([^|]+) \|/gm)
  return new Map(
    [...rows].map(([, name = '', type = '', labels = '']) => [
      name,
      { type, labels: [...labels.matchAll(/`(\w+)`/g)].map((it) => String(it[1])) },
    ]),
  )
}

test('every figure of the dashboard exists, with the labels it is grouped and shown by', async () => {
  const byName = await metrics()
  const dashboard = JSON.parse(await page('docs/ops/grafana.json'))
  const targets = dashboard.panels.flatMap((panel: { targets: object[] }) => panel.targets)
  expect(targets.length).toBeGreaterThan(20)
  const names = new Set<string>()
  for (const { expr, legendFormat } of targets as Array<{ expr: string; legendFormat: string }>) {
    const [metricName = '', ...more] = expr.match(/\b(beckon|process)_\w+/g) ?? []
    expect([expr, more]).toEqual([expr, []])
    const name = byName.has(metricName)
      ? metricName
      : metricName.replace(/_(bucket|sum|count)$/, '')
    const metric = byName.get(name)
    expect([expr, metric !== undefined, name === metricName]).toEqual([
      expr,
      true,
      metric?.type !== 'histogram',
    ])
    const labels = ['job', 'le', ...(metric?.labels ?? [])]
    const grouped = /by \(([^)]*)\)/.exec(expr)?.[1]?.split(', ') ?? []
    const filtered = [...expr.matchAll(/(\w+)=~?"/g)].map((it) => String(it[1]))
    const legend = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map((it) => String(it[1]))
    for (const label of [...grouped, ...filtered, ...legend]) {
      expect([expr, label, labels]).toEqual([expr, label, expect.arrayContaining([label])])
    }
    // A counter is only worth its rise.
    const rises = /\b(rate|increase)\(/.test(expr)
    expect([expr, rises]).toEqual([expr, metric?.type !== 'gauge'])
    names.add(name)
  }
  const apart = ['beckon_uptime_seconds', 'process_start_time_seconds']
  expect([...byName.keys()].filter((name) => !names.has(name))).toEqual(apart)
})

test('the Compose file names what the image and the program know', async () => {
  const { services, volumes } = parse(await page('docs/ops/compose.yaml'))
  expect(Object.keys(services)).toEqual(['beckon', 'caddy'])
  const { environment, volumes: mounted, expose } = services.beckon
  for (const name of Object.keys(environment))
    expect<string[]>([...configReader.variables]).toContain(name)
  const docker = await page('Dockerfile')
  expect(docker).toContain(`EXPOSE ${expose[0]}`)
  expect(docker).toContain(`VOLUME ${mounted[0].split(':')[1]}`)
  const used = [mounted, services.caddy.volumes].flat().map((one: string) => one.split(':')[0])
  const mounts = used.filter((from?: string) => !from?.startsWith('.'))
  expect(mounts.sort()).toEqual(Object.keys(volumes).sort())
  // The same as beside the server, but for where that is.
  const [alone, inside] = await Promise.all(
    ['', '.compose'].map((end) => page(`docs/ops/Caddyfile${end}`)),
  )
  const site = (text = '') => text.slice(text.indexOf('beckon.example.com {'))
  expect(site(inside)).toBe(site(alone).replace('127.0.0.1:8484', `beckon:${expose[0]}`))
})

test('the templates for home servers name what the image and the program know', async () => {
  const { services, volumes, ...more } = parse(await page('docs/ops/home-server.yaml'))
  const { environment, ports, volumes: mounted } = services.beckon
  for (const name of Object.keys(environment))
    expect<string[]>([...configReader.variables]).toContain(name)
  const image = await page('packages/release/image.ts')
  const port = String(ports[0].split(':')[1])
  expect(image).toContain(`'${port}/tcp'`)
  expect(more['x-casaos']).toMatchObject({ main: 'beckon', port_map: port })
  const [from = '', to] = mounted[0].split(':')
  expect([to, Object.keys(volumes)]).toEqual(['/data', [from]])

  const { root } = parseXml(await page('docs/ops/unraid.xml'))
  const fields = root?.children.filter((one) => one instanceof XmlElement) ?? []
  const of = (name: string) => fields.find((one) => one.name === name)?.text
  expect(of('Repository')).toBe(services.beckon.image)
  const rows = fields.filter((one) => one.name === 'Config').map((one) => one.attributes)
  const targets = (type: string) =>
    rows.filter((one) => one.Type === type).map((one) => String(one.Target))
  expect([targets('Port'), targets('Path')]).toEqual([[port], ['/data']])
  for (const name of targets('Variable'))
    expect<string[]>([...configReader.variables]).toContain(name)
})

// A stop of a server, in the words of each manager.
const STOPS = /(?:stop_grace_period: |--stop-timeout |TimeoutStopSec=)(\d+)/g

test('every template gives a server as long to stop as it may drain, and some seconds', async () => {
  const delays: string[] = []
  for (const name of ['compose.yaml', 'home-server.yaml', 'unraid.xml', 'beckon.service']) {
    const [first, ...others] = (await page(`docs/ops/${name}`)).matchAll(STOPS)
    expect([name, others]).toEqual([name, []])
    delays.push(`${name} ${first?.[1]}`)
  }
  expect(delays.map((one) => Number(one.split(' ')[1]))).toEqual(delays.map(() => STOP_SECONDS))
  const pod = await page('docs/ops/helm/beckon/templates/deployment.yaml')
  const more = /terminationGracePeriodSeconds: \{\{ add \.Values\.drainSeconds (\d+) \}\}/.exec(pod)
  expect(Number(more?.[1])).toBe(STOP_SECONDS - DRAIN_MAX)
})

test('the files for PostgreSQL name what the image and the program know', async () => {
  const { services, volumes } = parse(await page('docs/ops/compose-postgres.yaml'), { merge: true })
  const { 'beckon-1': first, 'beckon-2': second, postgres, caddy } = services
  expect(second).toEqual(first)
  for (const name of Object.keys(first.environment)) {
    expect<string[]>([...configReader.variables]).toContain(name)
  }
  const alone = parse(await page('docs/ops/compose.yaml')).services.beckon
  for (const same of ['expose', 'cap_drop', 'security_opt', 'read_only', 'stop_grace_period']) {
    expect([same, first[same]]).toEqual([same, alone[same]])
  }
  const { username, hostname, pathname } = new URL(
    first.environment.BECKON_DATABASE_URL.replace(/\$\{.*\}/, 'x'),
  )
  expect([username, hostname, pathname.slice(1)]).toEqual([
    postgres.environment.POSTGRES_USER,
    'postgres',
    postgres.environment.POSTGRES_DB,
  ])
  const mounts = [postgres.volumes, caddy.volumes].flat().map((one: string) => one.split(':')[0])
  expect(mounts.filter((from?: string) => !from?.startsWith('.')).sort()).toEqual(
    Object.keys(volumes).sort(),
  )
})

test('the chart starts from values that its schema allows, and names settings of the program', async () => {
  const values = parse(await page('docs/ops/helm/beckon/values.yaml'))
  const schema = JSON.parse(await page('docs/ops/helm/beckon/values.schema.json'))
  const isValid = new Ajv({ strict: false }).compile(schema)
  expect([isValid(values), isValid.errors]).toEqual([true, null])
  expect(isValid({ ...values, replicaz: 2 })).toBe(false)
  const templates = await Array.fromAsync(
    new Glob('docs/ops/helm/beckon/**/*.{yaml,tpl}').scan(join(import.meta.dir, '../..')),
    (path) => page(path),
  )
  const used = templates.join('\n').match(/\bBECKON_[A-Z_]+/g) ?? []
  expect(used.length).toBeGreaterThan(4)
  for (const name of used) expect<string[]>([...configReader.variables]).toContain(name)
  // What is set without being asked for is offered; what is read is there.
  const read = new Set(templates.join('\n').match(/\.Values\.(\w+)/g))
  expect([...read].map((one) => one.slice('.Values.'.length)).sort()).toEqual(
    Object.keys(values).sort(),
  )
})

const ANALYZE = Bun.which('systemd-analyze')

test.skipIf(!ANALYZE)('systemd finds nothing wrong with the unit', async () => {
  using folder = tempFolder()
  const program = join(folder.path, 'beckon')
  writeFileSync(program, '#!/bin/sh\n')
  chmodSync(program, 0o755)
  const unit = join(folder.path, 'beckon.service')
  const text = await page('docs/ops/beckon.service')
  writeFileSync(unit, text.replace('/usr/local/bin/beckon', program))
  const verified = Bun.spawnSync(['systemd-analyze', 'verify', '--man=no', unit])
  expect([verified.exitCode, verified.stderr.toString()]).toEqual([0, ''])
})
