/**
 * What the feeds of the catalog promise, one id each, in our own words. A test cites the ids it
 * proves as it cites those of the question service.
 */
export const CATALOG_REQUIREMENTS = {
  'CF-META': 'Every feed has meta: licence CC-BY-4.0, credit line, method, run and links.',
  'CF-LIST': 'The listing has count, graded, notGraded and every record, best first.',
  'CF-TOOL': 'A record has its facts, prices, links and grading, as described.',
  'CF-DETAIL': 'The document of one tool adds reviews, the sum of its score and checks.',
  'CF-GRADE': 'Score, grade and weights follow from the served methodology and scores.',
  'CF-LIVE': 'What was measured stands under live, and says when.',
  'CF-X402': 'Tools that take payments per call are listed by score, with prices.',
  'CF-CHANGES': 'Dated changes: recent newest first, and upcoming.',
  'CF-CALENDAR': 'A calendar file has the dated changes.',
  'CF-MARKDOWN': 'Each record is there in Markdown, whole and slim.',
  'CF-READ': 'Every address is for reading alone, by anyone.',
  'CF-OPENAPI': 'A machine-readable description covers the feeds.',
  'CF-VER-1': 'Data says its methodology version, its run and the day of generation.',
  'CF-VER-2': 'The feeds are under /api/v1, and the entry leads to the others.',
} as const
