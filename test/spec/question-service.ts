/**
 * The numbered statements and the limits of the question service's specification, one id each, in
 * our own words. A test cites the ids it proves, in its name (`[QS-RULE-3]`) or in a comment above
 * it (`// spec: QS-RULE-3`).
 */
export const REQUIREMENTS = {
  // What the service does
  'QS-WHAT-1': 'The tools are served at /api/mcp/mcp and speak protocol 2025-11-25.',
  'QS-WHAT-2': 'initialize is answered with 200 and needs no credentials.',
  'QS-WHAT-3': 'The list holds the three tools and the two follow-up tools.',
  'QS-WHAT-4': 'send_notification goes to browsers and phones and waits for nobody.',
  'QS-WHAT-5':
    'ask_user asks confirm, select or input and waits at most 55 s; 10 minutes to answer.',
  'QS-WHAT-6': 'propose_scope asks for a boundary; promises are recorded and never enforced.',
  'QS-WHAT-7': 'Test traffic, by field or by header, is recorded and delivered to nobody.',
  'QS-WHAT-8': 'Every tool says destructive, not idempotent, open world, not read-only.',

  // States and transitions
  'QS-STATES': 'A question makes the moves of the table of states, and no other.',
  'QS-STATE-open': 'Asking makes a pending question with a correlationId.',
  'QS-STATE-answer': 'An answer inside the window makes it answered, with value and note.',
  'QS-STATE-cancel': 'A withdrawn question is cancelled.',
  'QS-STATE-expire': 'After 10 minutes without an answer it is expired.',
  'QS-STATE-timeout': 'The end of a call leaves it pending and says timedOut.',

  // Endpoints, rules
  'QS-RULE-1': 'Targeting restricts delivery; without any, every device is addressed.',
  'QS-RULE-2': 'Reaching nobody with a notification succeeds: sent 0 and a warning.',
  'QS-RULE-3': 'wait:false returns a pending id at once, without answered.',
  'QS-RULE-4': 'noDevices when nothing can receive the question, with a handoffAction.',
  'QS-RULE-5': 'held says why a question was deliberately not delivered.',
  'QS-RULE-6': 'Calls with one toolUseId, or one requestId without it, make one question.',

  // Authentication
  'QS-AUTH-1': 'initialize needs no credentials.',
  'QS-AUTH-2': 'A tool call needs a token, which ties it to one account.',
  'QS-AUTH-3': 'The callback carries X-Service-Signature.',
  'QS-AUTH-4': 'Delivery follows the account’s policy.',

  // Events
  'QS-EVENT-1': 'An answer to a question with a callbackUrl is posted there, signed.',
  'QS-EVENT-2': 'The callback says the answer (body: ours).',
  'QS-EVENT-3': 'A callback that fails is tried again (schedule: ours).',
  'QS-EVENT-4': 'No other kind of event is sent.',

  // Errors
  'QS-ERR-1': 'Reaching nobody is not an error; the warning names what to connect.',
  'QS-ERR-2': 'cancelled, expired, missing and unavailable are outcomes, not timeouts.',
  'QS-ERR-3': 'timedOut means that the question was still live.',
  'QS-ERR-4': 'paused means that nothing was sent.',
  'QS-ERR-5': 'A scope that is answered and not ratified was declined.',
  'QS-ERR-6': 'A malformed or unauthorised call is refused (shapes: ours).',

  // Limits
  'QS-LIM-title': 'title 1..100',
  'QS-LIM-body': 'body 1..500',
  'QS-LIM-question': 'question cut to 500; refused above it in askQuestion and questions[0]',
  'QS-LIM-agentName': 'agentName 100: cut by ask_user, refused elsewhere',
  'QS-LIM-ids': 'machineId and sessionId 128',
  'QS-LIM-timeoutMs': 'timeoutMs 1000..55000',
  'QS-LIM-window': 'answerable for 10 minutes, whatever the call waits',
  'QS-LIM-options': '2..6 options of a select, each at least one character',
  'QS-LIM-rich': 'exactly one questions[] item with 2..4 options',
  'QS-LIM-action': 'action, blocker and intent cut to 500',
  'QS-LIM-actionBody': 'actionBody 4000',
  'QS-LIM-context': 'context 500',
  'QS-LIM-placeholder': 'placeholder 200',
  'QS-LIM-repo': 'repoKey and scopePath 200',
  'QS-LIM-tool': 'toolName 100, toolTarget 80, permissionMode 64, toolPath 4096',
  'QS-LIM-keys': 'requestId and toolUseId 200',
  'QS-LIM-paths': '40 allowedPaths and 40 offLimitsPaths of 1..200',
  'QS-LIM-promises': '10 promises of 1..200',
  'QS-LIM-doneWhen': 'doneWhen 1..300',

  // Versioning
  'QS-VER-1': 'The server reports 2025-11-25.',
  'QS-VER-2': 'Client packages have versions of their own.',
  'QS-VER-3': 'nextAction stays for older callers; handoffAction goes before it.',
} as const

export type Requirement = keyof typeof REQUIREMENTS

/**
 * What no test cites yet, with the capability it waits for. It only gets shorter: an id that is
 * cited must leave, and no id may come back.
 */
export const LATER: Partial<Record<Requirement, string>> = {
  'QS-VER-2': 'published client packages: there are none',
}
