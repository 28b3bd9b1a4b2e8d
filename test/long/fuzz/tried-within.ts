const FORM = 'a form of a page: by the route that it is sent to'
const FILE = 'a file: by the one who reads what is in it'

/** Functions that read what others wrote and are tried by the target of whoever calls them. */
export const TRIED_WITHIN: Readonly<Record<string, string>> = {
  'src/audit/place.ts#readPlace': 'a cursor: by route GET /api/v1/audit',
  'src/catalog/importers/mcp-registry/server.ts#readServer': 'by import: mcp-registry',
  'src/catalog/importers/read-source.ts#parseSourceJson': 'by each importer of JSON',
  'src/catalog/importers/read-source.ts#readFileText': FILE,
  'src/catalog/importers/read-source.ts#readSourceJson': 'by each importer of JSON',
  'src/catalog/record/paid/read-offer.ts#readOffer': 'by probe: x402 and import: x402-discovery',
  'src/catalog/source/read-text.ts#readText': FILE,
  'src/cli/clients/claude-shape.ts#readClaudeShape': 'by hook: claude and hook: codex',
  'src/cli/hook/shell/fed.ts#readFed': 'by shell: any command',
  'src/cli/hook/state.ts#readKept': 'what the hook itself wrote, under its own signature',
  'src/cli/setup/text-file.ts#readTextFile': FILE,
  'src/config/small-file.ts#readSmallFile': FILE,
  'src/flows/change-device.ts#readExternalId':
    'by the routes that connect or change a device, and their forms',
  'src/flows/doctor/certificate.ts#readCertificate':
    'a handshake, read by the system: by test/doctor',
  'src/kernel/request-body.ts#readOptionalJson': 'by the routes that take a body or none',
  'src/kernel/request-body.ts#readText': 'by http: a JSON body, and by the routes',
  'src/pages/answer-form.ts#readDraft': FORM,
  'src/pages/form.ts#readForm': FORM,
  'src/pages/policy-form.ts#readPolicyForm': FORM,
  'src/pages/read-fields.ts#readDraft': FORM,
  'src/pages/rule-form.ts#readRuleForm': FORM,
  'src/pages/scope-form.ts#readScopeDraft': FORM,
  'src/pages/target-form.ts#readNewTargets': FORM,
  'src/pages/target-form.ts#readTargetChanges': FORM,
  'src/pages/topic-form.ts#readTopicForm': FORM,
  'src/pages/visit.ts#readVisit': 'what a page remembers of who looks: by its route',
  'src/questions/answer.ts#readNote': 'by the routes that answer',
}
