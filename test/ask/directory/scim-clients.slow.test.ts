import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type DirectoryWorld, directoryWorld } from '../../support/directory-world.ts'

// The requests that Entra, Okta, authentik and Pocket ID send, in their forms.

let world: DirectoryWorld
beforeAll(async () => {
  world = await directoryWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

// biome-ignore lint/suspicious/noExplicitAny: replies of every kind are looked into
type Any = any

test('62 requests of four clients are answered as they expect', async () => {
  const rows: { name: string; saw: unknown }[] = []
  const wrong = () => rows.filter(({ saw }) => saw !== undefined)
  const say = (name: string, ok: unknown, saw: unknown) =>
    rows.push({ name, saw: ok ? undefined : saw })
  const { base, call } = world
  const U = 'urn:ietf:params:scim:schemas:core:2.0:User',
    G = 'urn:ietf:params:scim:schemas:core:2.0:Group',
    P = 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
    E = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
  let r: Any = await call('GET', '/ServiceProviderConfig')
  say(
    'ServiceProviderConfig',
    r.s === 200 && r.j?.patch?.supported === true && r.j?.filter?.supported === true,
    r,
  )
  r = await call('GET', '/ResourceTypes')
  say('ResourceTypes as ListResponse', r.s === 200 && Array.isArray(r.j?.Resources ?? r.j), r)
  r = await call('GET', '/Schemas')
  say('Schemas', r.s === 200, r)
  const wrongToken = await fetch(`${base}/Users`, { headers: { authorization: 'Bearer nope' } })
  say('wrong token 401', wrongToken.status === 401, wrongToken)
  // Entra: test connection asks for a random userName and expects 200 with 0 results
  r = await call('GET', `/Users?filter=${encodeURIComponent('userName eq "no-such-9f2"')}`)
  say(
    'Entra test connection: filter, 200, totalResults 0',
    r.s === 200 && r.j?.totalResults === 0 && Array.isArray(r.j?.Resources),
    r,
  )
  r = await call('GET', `/Users?filter=${encodeURIComponent('externalId eq "no-such-9f2"')}`)
  say('filter externalId', r.s === 200 && r.j?.totalResults === 0, r)
  // Entra create
  r = await call('POST', '/Users', {
    schemas: [U, E],
    externalId: 'ana',
    userName: 'ana@example.com',
    active: true,
    displayName: 'Ana A',
    emails: [{ primary: true, type: 'work', value: 'ana@example.com' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'Ana A', familyName: 'A', givenName: 'Ana' },
    [E]: { employeeNumber: '1', department: 'Ops' },
  })
  const ana = r.j?.id
  say('Entra create user 201 + Location', r.s === 201 && ana && r.loc, r)
  r = await call('POST', '/Users', {
    schemas: [U],
    userName: 'ana@example.com',
    active: true,
    emails: [{ primary: true, value: 'ana@example.com' }],
  })
  say('duplicate 409 uniqueness', r.s === 409 && r.j?.scimType === 'uniqueness', r)
  // Okta create
  r = await call('POST', '/Users', {
    schemas: [U],
    userName: 'bob@example.com',
    name: { givenName: 'Bob', familyName: 'B' },
    emails: [{ primary: true, value: 'bob@example.com', type: 'work' }],
    displayName: 'Bob B',
    locale: 'en-US',
    externalId: '00u1',
    groups: [],
    password: 'x1!aaaaZ',
    active: true,
  })
  const bob = r.j?.id
  say('Okta create user (groups:[], password)', r.s === 201 && bob, r)
  r = await call('POST', '/Users', {
    schemas: [U],
    userName: 'cleo',
    externalId: 'c',
    active: true,
    name: { givenName: 'Cleo', familyName: 'C' },
  })
  const cleo = r.j?.id
  say('user without e-mail', r.s === 201, r)
  r = await call('GET', `/Users?filter=${encodeURIComponent('userName eq "ANA@example.com"')}`)
  say('userName is case-insensitive', r.j?.totalResults === 1, r)
  r = await call('GET', `/Users?startIndex=1&count=1`)
  say(
    'Okta paging: startIndex/count, itemsPerPage',
    r.s === 200 && r.j?.Resources?.length === 1 && r.j?.totalResults >= 2 && r.j?.startIndex === 1,
    r,
  )
  r = await call('GET', `/Users?startIndex=2&count=1`)
  say('page 2', r.j?.Resources?.length === 1 && r.j?.startIndex === 2, r)
  r = await call('GET', `/Users?startIndex=0&count=0`)
  say(
    'count=0, startIndex=0',
    r.s === 200 && r.j?.totalResults >= 2 && (r.j?.Resources ?? []).length === 0,
    r,
  )
  r = await call('GET', `/Users?startIndex=999`)
  say('page past the end', r.s === 200 && (r.j?.Resources ?? []).length === 0, r)
  // PATCH users
  r = await call('PATCH', `/Users/${ana}`, {
    schemas: [P],
    Operations: [{ op: 'Replace', path: 'displayName', value: 'Ana Neu' }],
  })
  say('Entra PATCH "Replace" capital, path', r.s === 200 || r.s === 204, r)
  r = await call('PATCH', `/Users/${ana}`, {
    schemas: [P],
    Operations: [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ana.neu@example.com' },
    ],
  })
  say('Entra PATCH emails[type eq "work"].value', r.s === 200 || r.s === 204, r)
  r = await call('PATCH', `/Users/${ana}`, {
    schemas: [P],
    Operations: [{ op: 'Add', path: `${E}:department`, value: 'Dev' }],
  })
  say('Entra PATCH enterprise attribute by URN path', r.s === 200 || r.s === 204, r)
  r = await call('PATCH', `/Users/${ana}`, {
    schemas: [P],
    Operations: [
      { op: 'Replace', path: 'name.familyName', value: 'Neu' },
      { op: 'Add', path: 'title', value: 'Dr' },
    ],
  })
  say('two operations', r.s === 200 || r.s === 204, r)
  r = await call('PATCH', `/Users/${ana}`, {
    schemas: [P],
    Operations: [
      { op: 'replace', value: { displayName: 'Ana Drei', 'name.givenName': 'Anna', title: 'x' } },
    ],
  })
  say('Entra PATCH without path, dotted keys in value', r.s === 200 || r.s === 204, r)
  r = await call('PATCH', `/Users/${ana}`, {
    schemas: [P],
    Operations: [{ op: 'Replace', path: 'nickName', value: 'A' }],
  })
  say('unknown attribute in PATCH: ignored or 400', r.s < 500, r)
  r = await call('PATCH', `/Users/${ana}`, {
    schemas: [P],
    Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
  })
  say('Entra deactivate: active "False" (string, pre-flag)', r.s === 200 || r.s === 204, r)
  r = await call('GET', `/Users/${ana}`)
  say('  … is inactive', r.j?.active === false, r)
  r = await call('PATCH', `/Users/${ana}`, {
    schemas: [P],
    Operations: [{ op: 'Replace', path: 'active', value: true }],
  })
  r = await call('GET', `/Users/${ana}`)
  say('activated again', r.j?.active === true, r)
  r = await call('PATCH', `/Users/${bob}`, {
    schemas: [P],
    Operations: [{ op: 'replace', value: { active: false } }],
  })
  say('Okta deactivate: replace, no path, {active:false}', r.s === 200 || r.s === 204, r)
  r = await call('GET', `/Users/${bob}`)
  say('  … is inactive, still there', r.s === 200 && r.j?.active === false, r)
  r = await call('PUT', `/Users/${bob}`, {
    schemas: [U],
    id: bob,
    userName: 'bob@example.com',
    name: { givenName: 'Bob', familyName: 'B' },
    emails: [{ primary: true, value: 'bob@example.com', type: 'work' }],
    active: true,
    groups: [],
    meta: { resourceType: 'User' },
  })
  say('Okta PUT (activate)', r.s === 200 && r.j?.active === true, r)
  r = await call('PUT', `/Users/${bob}`, {
    schemas: [U],
    userName: 'bob@example.com',
    name: { givenName: 'Bob', familyName: 'B' },
    emails: [{ primary: true, value: 'bob@example.com' }],
  })
  say('PUT without active keeps or sets active', r.s === 200, r)
  // groups
  r = await call('POST', '/Groups', {
    schemas: [G, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
    externalId: 'g1',
    displayName: 'engineers',
    meta: { resourceType: 'Group' },
  })
  say('Entra create group with its second schema', r.s === 201, r)
  let g = r.j?.id
  if (!g) {
    r = await call('POST', '/Groups', { schemas: [G], externalId: 'g1', displayName: 'engineers' })
    g = r.j?.id
    say('  … with one schema', r.s === 201, r)
  }
  r = await call('POST', '/Groups', {
    schemas: [G],
    displayName: 'managers',
    members: [{ value: ana, display: 'ana@example.com' }],
  })
  const g2 = r.j?.id
  say('Okta create group with members', r.s === 201 && r.j?.members?.length === 1, r)
  r = await call('GET', `/Groups?filter=${encodeURIComponent('displayName eq "engineers"')}`)
  say('filter displayName', r.j?.totalResults === 1, r)
  r = await call(
    'GET',
    `/Groups?filter=${encodeURIComponent('externalId eq "g1"')}&excludedAttributes=members`,
  )
  say(
    'Entra: excludedAttributes=members',
    r.s === 200 && r.j?.totalResults === 1 && !r.j?.Resources?.[0]?.members?.length,
    r,
  )
  r = await call('PATCH', `/Groups/${g}`, {
    schemas: [P],
    Operations: [{ op: 'Add', path: 'members', value: [{ value: ana }] }],
  })
  say('Entra Add members (path, array)', r.s === 200 || r.s === 204, r)
  r = await call('PATCH', `/Groups/${g}`, {
    schemas: [P],
    Operations: [{ op: 'Add', path: 'members', value: [{ $ref: null, value: bob }] }],
  })
  say('Entra Add with "$ref": null', r.s === 200 || r.s === 204, r)
  r = await call('PATCH', `/Groups/${g}`, {
    schemas: [P],
    Operations: [{ op: 'Add', path: 'members', value: [{ value: ana }] }],
  })
  say('Add again (idempotent)', r.s === 200 || r.s === 204, r)
  r = await call('GET', `/Groups/${g}`)
  say('  … two members', r.j?.members?.length === 2, r)
  r = await call('PATCH', `/Groups/${g}`, {
    schemas: [P],
    Operations: [{ op: 'Remove', path: `members[value eq "${ana}"]` }],
  })
  say('Remove members[value eq "…"] (Entra new, Okta)', r.s === 200 || r.s === 204, r)
  r = await call('PATCH', `/Groups/${g}`, {
    schemas: [P],
    Operations: [{ op: 'Remove', path: 'members', value: [{ value: bob }] }],
  })
  say('Remove path members + value array (Entra classic)', r.s === 200 || r.s === 204, r)
  r = await call('GET', `/Groups/${g}`)
  say('  … only the named ones went (none left)', (r.j?.members ?? []).length === 0, r)
  await call('PATCH', `/Groups/${g}`, {
    schemas: [P],
    Operations: [{ op: 'add', path: 'members', value: [{ value: ana }, { value: bob }] }],
  })
  r = await call('PATCH', `/Groups/${g}`, {
    schemas: [P],
    Operations: [{ op: 'Remove', path: 'members', value: [{ value: bob }] }],
  })
  r = await call('GET', `/Groups/${g}`)
  say(
    'classic Remove takes one, leaves the other',
    r.j?.members?.length === 1 && r.j.members[0].value === ana,
    r.j?.members ?? r,
  )
  r = await call('PATCH', `/Groups/${g}`, {
    schemas: [P],
    Operations: [{ op: 'replace', path: 'members', value: [{ value: ana }, { value: bob }] }],
  })
  say('Okta push: replace members', r.s === 200 || r.s === 204, r)
  r = await call('PATCH', `/Groups/${g}`, {
    schemas: [P],
    Operations: [{ op: 'replace', value: { id: g, displayName: 'engineers-eu' } }],
  })
  say('Okta rename: replace, no path, value has id', r.s === 200 || r.s === 204, r)
  r = await call('PATCH', `/Groups/${g}`, {
    schemas: [P],
    Operations: [{ op: 'add', value: { members: [{ value: ana }] } }],
  })
  say('add without path, {members}', r.s === 200 || r.s === 204, r)
  r = await call('PATCH', `/Groups/${g}`, {
    schemas: [P],
    Operations: [{ op: 'add', path: 'members', value: [{ value: 'no-such-user' }] }],
  })
  say('unknown member refused, 4xx', r.s >= 400 && r.s < 500, r)
  r = await call('GET', `/Users/${bob}`)
  say(
    'user resource lists groups',
    Array.isArray(r.j?.groups) && r.j.groups.length >= 1,
    r.j?.groups ?? 'no groups',
  )
  r = await call('PUT', `/Groups/${g2}`, {
    schemas: [G],
    id: g2,
    displayName: 'managers',
    members: [],
  })
  say('Okta PUT group, empty', r.s === 200 && (r.j?.members ?? []).length === 0, r)
  r = await call('GET', `/Users/nope`)
  say(
    '404 as SCIM error',
    r.s === 404 && r.j?.schemas?.[0]?.endsWith(':Error') && String(r.j?.status) === '404',
    r,
  )
  r = await call('DELETE', `/Groups/${g2}`)
  say('delete group 204', r.s === 204, r)
  r = await call('DELETE', `/Users/${cleo ?? bob}`)
  say('delete user 204', r.s === 204, r)
  r = await call(
    'POST',
    '/Users',
    {
      schemas: [U],
      externalId: 'ana2',
      userName: 'bob@example.com',
      active: true,
      emails: [{ primary: true, value: 'bob@example.com' }],
      name: { givenName: 'B', familyName: 'B' },
    },
    'application/json',
  )
  say('application/json accepted (409 here)', r.s === 409, r)
  r = await call('GET', `/Users?filter=${encodeURIComponent('active eq true and userName sw "b"')}`)
  say(
    'wider filter: 200, or 400 invalidFilter',
    r.s === 200 || (r.s === 400 && r.j?.scimType === 'invalidFilter'),
    r,
  )
  const many = Array.from({ length: 250 }, (_, i) => i)
  let created = 0
  for (const i of many) {
    const x: Any = await call('POST', '/Users', {
      schemas: [U],
      externalId: `m${i}`,
      userName: `m${i}@example.com`,
      active: true,
      emails: [{ primary: true, value: `m${i}@example.com` }],
      name: { givenName: 'M', familyName: `${i}` },
    })
    if (x.s === 201) created++
  }
  say('250 users', created === 250, created)
  r = await call('GET', '/Users?startIndex=1&count=500')
  say('page is bounded, total right', r.s === 200 && r.j?.totalResults >= 250, {
    n: r.j?.Resources?.length,
    t: r.j?.totalResults,
  })

  // authentik and Pocket ID as clients
  const mids: string[] = []
  for (const i of many.slice(0, 200)) {
    const x: Any = await call('GET', `/Users?filter=${encodeURIComponent(`externalId eq "m${i}"`)}`)
    mids.push(x.j?.Resources?.[0]?.id)
  }
  r = await call(
    'POST',
    '/Groups',
    { schemas: [G], externalId: 'big', displayName: 'big' },
    'application/json',
  )
  const big = r.j?.id
  say('group without members, application/json', r.s === 201, r)
  r = await call('GET', `/Groups/${big}`)
  say(
    'empty group answers members: [] (authentik adds nobody otherwise)',
    Array.isArray(r.j?.members) && r.j.members.length === 0,
    Object.keys(r.j ?? {}),
  )
  r = await call(
    'PATCH',
    `/Groups/${big}`,
    {
      schemas: [P],
      Operations: mids.map((value) => ({ op: 'add', path: 'members', value: [{ value }] })),
    },
    'application/json',
  )
  say('authentik: 200 operations in one PATCH', r.s === 200 || r.s === 204, r)
  r = await call(
    'PATCH',
    `/Groups/${big}`,
    {
      schemas: [P],
      Operations: [
        { op: 'replace', value: { schemas: [G], id: big, externalId: 'big', displayName: 'big2' } },
      ],
    },
    'application/json',
  )
  say('authentik: replace the whole group, no path', r.s === 200 || r.s === 204, r)
  r = await call('GET', `/Groups/${big}`)
  say('  … keeps its members', r.j?.members?.length === 200 && r.j?.displayName === 'big2', {
    n: r.j?.members?.length,
    d: r.j?.displayName,
  })
  r = await call('PUT', `/Groups/${big}`, {
    schemas: [G],
    id: big,
    externalId: 'big',
    displayName: 'big2',
  })
  r = await call('GET', `/Groups/${big}`)
  say(
    'Pocket ID: PUT of an empty group leaves members out, and empties it',
    (r.j?.members ?? []).length === 0,
    { n: r.j?.members?.length },
  )
  r = await call('GET', '/Users?startIndex=1&count=1000')
  const step = r.j?.itemsPerPage
  say(
    'Pocket ID: count=1000, itemsPerPage is the size of the page',
    step === r.j?.Resources?.length && step > 0,
    { step, n: r.j?.Resources?.length },
  )
  r = await call('GET', `/Users?filter=${encodeURIComponent(`externalId eq "x\\"y"`)}`)
  say('quotes in a filter', r.s === 200 && r.j?.totalResults === 0, r)
  r = await call('PATCH', `/Groups/${big}`, {
    schemas: [P],
    Operations: [
      { op: 'add', path: 'members', value: [{ value: mids[0] }] },
      { op: 'add', path: 'members', value: [{ value: 'nobody' }] },
    ],
  })
  const group: Any = await call('GET', `/Groups/${big}`)
  say(
    'a PATCH that fails in the middle changes nothing',
    r.s >= 400 && (group.j?.members ?? []).length === 0,
    { s: r.s, n: group.j?.members?.length },
  )
  expect(wrong()).toEqual([])
  expect(rows).toHaveLength(62)
})
