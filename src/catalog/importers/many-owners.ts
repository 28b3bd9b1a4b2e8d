import { getDomain } from 'tldts'

/**
 * Hosts with a page for each user, with the reason: an address there says nothing about its owner.
 * Hosts with a subdomain for each user (`vercel.app`, `github.io`) are in the public suffix list
 * already.
 */
const MANY_OWNERS: Readonly<Record<string, string>> = {
  'example.com': 'reserved for examples',
  'example.net': 'reserved for examples',
  'example.org': 'reserved for examples',
  'google.com': 'search results and redirects; products have hosts of their own below it',
  'docs.google.com': 'documents of anybody',
  'drive.google.com': 'files of anybody',
  'sites.google.com': 'sites of anybody',
  'groups.google.com': 'groups of anybody',
  'play.google.com': 'a store of applications',
  'chromewebstore.google.com': 'a store of extensions',
  'colab.research.google.com': 'notebooks of anybody',
  'forms.gle': 'forms of anybody',
  'apps.apple.com': 'a store of applications',
  'testflight.apple.com': 'applications of anybody',
  'marketplace.visualstudio.com': 'a store of extensions',
  'npmjs.com': 'a registry of packages',
  'npmjs.org': 'a registry of packages',
  'pypi.org': 'a registry of packages',
  'crates.io': 'a registry of packages',
  'docs.rs': 'documentation of anybody’s packages',
  'rubygems.org': 'a registry of packages',
  'packagist.org': 'a registry of packages',
  'nuget.org': 'a registry of packages',
  'pkg.go.dev': 'a registry of packages',
  'jsr.io': 'a registry of packages',
  'deno.land': 'modules of anybody',
  'hub.docker.com': 'a registry of images',
  'ghcr.io': 'a registry of images',
  'quay.io': 'a registry of images',
  'mvnrepository.com': 'a registry of packages',
  'huggingface.co': 'models and spaces of anybody',
  'readthedocs.io': 'documentation of anybody',
  'readthedocs.org': 'documentation of anybody',
  'readme.io': 'documentation of anybody',
  'gitbook.io': 'documentation of anybody',
  'gitbook.com': 'documentation of anybody',
  'mintlify.app': 'documentation of anybody',
  'postman.com': 'collections of anybody',
  'getpostman.com': 'collections of anybody',
  'rapidapi.com': 'APIs of anybody',
  'swaggerhub.com': 'API descriptions of anybody',
  'notion.so': 'pages of anybody',
  'notion.site': 'pages of anybody',
  'medium.com': 'articles of anybody',
  'substack.com': 'newsletters of anybody',
  'dev.to': 'articles of anybody',
  'hackmd.io': 'notes of anybody',
  'mirror.xyz': 'articles of anybody',
  'linktr.ee': 'links of anybody',
  'bit.ly': 'shortened addresses',
  't.co': 'shortened addresses',
  'x.com': 'a social network',
  'twitter.com': 'a social network',
  'linkedin.com': 'a social network',
  'facebook.com': 'a social network',
  'youtube.com': 'videos of anybody',
  'reddit.com': 'a forum',
  't.me': 'channels of anybody',
  'telegram.me': 'channels of anybody',
  'discord.com': 'groups of anybody',
  'discord.gg': 'groups of anybody',
  'warpcast.com': 'a social network',
  'producthunt.com': 'a directory of products',
  'smithery.ai': 'MCP servers of anybody',
  'glama.ai': 'a directory of MCP servers',
  'mcp.so': 'a directory of MCP servers',
  'pulsemcp.com': 'a directory of MCP servers',
  'archive.org': 'copies of other pages',
  'githubusercontent.com': 'files of anybody',
  'sourceforge.net': 'projects of anybody',
  'jsdelivr.net': 'files of anybody',
  'unpkg.com': 'files of anybody',
  'esm.sh': 'files of anybody',
  'wikipedia.org': 'articles about everything',
  'ngrok.app': 'machines of anybody',
  'ngrok.io': 'machines of anybody',
  'ngrok-free.app': 'machines of anybody',
}

// Product sites of the same name as a shared host: only these exact hosts are shared.
const EXACT = new Set(['google.com', 'discord.com', 'huggingface.co', 'medium.com'])

/** True if a host is reserved for examples (RFC 2606). */
export function isReserved(host: string): boolean {
  return /(^|\.)example\.(com|net|org)$/i.test(host)
}

/** Why many owners share a host; undefined where one owner has it. */
export function sharedBy(host: string): string | undefined {
  const name = host.toLowerCase().replace(/^www\./, '')
  const parts = name.split('.')
  for (let from = 0; from < parts.length - 1; from++) {
    const at = parts.slice(from).join('.')
    if (from > 0 && EXACT.has(at)) continue
    if (Object.hasOwn(MANY_OWNERS, at)) return MANY_OWNERS[at]
  }
  return undefined
}

/**
 * The registered domain, or the subdomain of a shared host: `docs.agentmail.to` → `agentmail.to`,
 * `api.example.co.uk` → `example.co.uk`, `one.vercel.app` unchanged. Undefined for an IP address, a
 * bare suffix, and a host that many owners share.
 */
export function ownDomain(host: string): string | undefined {
  return sharedBy(host) ? undefined : registeredDomain(host)
}

/**
 * The domain of a host that a document names as its provider: also one below which others have
 * hosts of their own, such as `googleapis.com`.
 */
export function providerDomain(host: string): string | undefined {
  return sharedBy(host) ? undefined : (registeredDomain(host) ?? getDomain(host) ?? undefined)
}

/** The same for a host that is known to belong to its owner. */
export function registeredDomain(host: string): string | undefined {
  return getDomain(host.toLowerCase(), { allowPrivateDomains: true }) ?? undefined
}
