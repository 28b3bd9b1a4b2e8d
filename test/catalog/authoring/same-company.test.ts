import { expect, test } from 'bun:test'
import { askListing } from '../../../src/catalog/feeds/filtered-listing.ts'
import { buildListing } from '../../../src/catalog/feeds/listing.ts'
import { SAME_COMPANY_MAX } from '../../../src/catalog/records/tool.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { detailsOf, snapshotOf } from '../snapshot-of.ts'

/** All records are of one vendor, in six categories of two areas. */
function ofOneVendor(size: number, name = 'Acme, Inc. & Söhne') {
  const source = generatedCatalog(size)
  const [first] = source.vendors
  if (!first) throw new Error('no vendor')
  const tools = source.tools.map((tool) => ({ ...tool, vendor: first.id }))
  return { ...source, vendors: [{ ...first, name }], tools }
}

test('a small company is named whole, nearest by category first', () => {
  const [first] = detailsOf(ofOneVendor(SAME_COMPANY_MAX + 1))
  const all = detailsOf(ofOneVendor(SAME_COMPANY_MAX + 1))
  const other = all.filter(({ slug }) => slug !== first?.slug)
  expect(first?.sameCompany.toSorted()).toEqual(other.map(({ slug }) => slug).toSorted())
  expect(first).not.toHaveProperty('sameCompanyMore')
  const bySlug = new Map(all.map((tool) => [tool.slug, tool]))
  const distance = (slug: string) => {
    const { category, area } = bySlug.get(slug) ?? {}
    if (category === first?.category) return 0
    return area === first?.area ? 1 : 2
  }
  const distances = first?.sameCompany.map(distance) ?? []
  expect(distances).toEqual(distances.toSorted())
  expect(new Set(distances)).toEqual(new Set([0, 1, 2]))
})

test('of a large company the nearest are named, and each of its records by some other', () => {
  const details = detailsOf(ofOneVendor(300))
  const names = new Set<string>()
  for (const { slug, category, sameCompany, sameCompanyMore } of details) {
    expect(sameCompany).toHaveLength(SAME_COMPANY_MAX)
    expect(sameCompany).not.toContain(slug)
    expect(sameCompanyMore?.count).toBe(300 - 1 - SAME_COMPANY_MAX)
    for (const one of sameCompany) {
      names.add(one)
      expect(details.find((it) => it.slug === one)?.category).toBe(category)
    }
  }
  expect(names.size).toBe(300)
})

test('the link to the rest leads to the records of that vendor alone', () => {
  const source = ofOneVendor(40)
  const others = generatedCatalog(44).tools.slice(40)
  const vendors = [...source.vendors, ...generatedCatalog(44).vendors.slice(1)]
  const snapshot = snapshotOf({ ...source, vendors, tools: [...source.tools, ...others] })
  const { url = '' } =
    snapshot.tools.find(({ vendor }) => /Acme/.test(vendor))?.sameCompanyMore ?? {}
  const { pathname, searchParams } = new URL(url)
  expect(pathname).toBe(askListing.path)
  const reply = askListing.reply(snapshot, searchParams)
  const { count } = JSON.parse(String(reply.body)) as { count: number }
  expect(count).toBe(40)
})

test('a listing of one company grows with its records, not with their square', () => {
  const bytesOf = (size: number) => {
    const [listing] = [...buildListing(snapshotOf(ofOneVendor(size)))].filter(Boolean)
    return String(listing?.body).length / size
  }
  expect(bytesOf(400) / bytesOf(100)).toBeLessThan(1.05)
})
