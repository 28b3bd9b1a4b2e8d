const FORM = 'a form of a page: by the route that it is sent to'
const FILE = 'a file: by the one who reads what is in it'

/** Functions that read what others wrote and are tried by the target of whoever calls them. */
export const TRIED_WITHIN: Readonly<Record<string, string>> = {
  'src/catalog/importers/mcp-registry/server.ts#readServer': 'by import: mcp-registry',
  'src/catalog/importers/read-source.ts#parseSourceJson': 'by each importer of JSON',
  'src/catalog/importers/read-source.ts#readFileText': FILE,
  'src/catalog/importers/read-source.ts#readSourceJson': 'by each importer of JSON',
  'src/catalog/payments/read-offer.ts#readOffer': 'by probe: x402 and import: x402-discovery',
  'src/catalog/authoring/read-text.ts#readText': FILE,
  'src/agent/clients/claude-shape.ts#readClaudeShape': 'by hook: claude and hook: codex',
  'src/agent/shell/fed.ts#readFed': 'by shell: any command',
  'src/agent/hook/state.ts#readKept': 'what the hook itself wrote, under its own signature',
  'src/agent/setup/text-file.ts#readTextFile': FILE,
  'src/platform/config/small-file.ts#readSmallFile': FILE,
  'src/ask/devices/change-device.ts#readExternalId':
    'by the routes that connect or change a device, and their forms',
  'src/platform/http/request-body.ts#readOptionalJson': 'by the routes that take a body or none',
  'src/platform/http/request-body.ts#readText': 'by http: a JSON body, and by the routes',
  'src/ask/questions/pages/answer-form.ts#readAnswerDraft': FORM,
  'src/platform/web/form.ts#readForm': FORM,
  'src/ask/pages/read-fields.ts#readDraft': FORM,
  'src/ask/scopes/pages/scope-form.ts#readScopeDraft': FORM,
  'src/ask/devices/pages/target-form.ts#readNewTargets': FORM,
  'src/ask/devices/pages/target-form.ts#readTargetChanges': FORM,
  'src/ask/pages/visit.ts#readVisit': 'what a page remembers of who looks: by its route',
  'src/ask/questions/model/answer.ts#readNote': 'by the routes that answer',
}
