import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** Where sentences that people read are written. The website has rules of its own, beside its sections. */
const FOLDERS = [
  'apps/web/src/dashboard',
  'apps/web/src/session',
  'apps/web/src/sign-in',
  'apps/web/src/ui',
  'apps/server/src',
  'apps/cli/src',
  'packages/auth/src',
  'packages/connectors/src',
  'packages/contract/src',
  'packages/copilot/src',
  'packages/domain/src',
  'packages/plan-files/src',
  'packages/storage/src',
  'packages/tools/src',
]

/** What a model may say, and what it is checked by: its words, and not ours. */
const THEIRS = /^packages\/copilot\/src\/check\/(?:words|check-sentence)\.ts$/u

const FILES = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/u.test(name) && !/\.(?:test|fixture|contract|fake)\./u.test(name))
    .map((name) => `${folder}/${name}`),
).filter((file) => !THEIRS.test(file))

/**
 * What a file can show a person: its string literals and, of a page, the text between its tags. Comments, imports and class
 * names are left out; a name in code is not a text, and neither is one word alone.
 */
function shownTexts(source: string, isPage: boolean): readonly string[] {
  const code = source
    .replaceAll(/\/\*[\s\S]*?\*\//gu, '')
    .replaceAll(/(?<!["'`:])\/\/.*$/gmu, '')
    .replaceAll(/^import .*$/gmu, '')
    .replaceAll(/className=(?:"[^"]*"|\{`[^`]*`\})/gu, '')
  return [...code.matchAll(isPage ? PAGE_TEXT : TEXT)].map(([text]) => text.replaceAll(/\s+/gu, ' '))
}
const TEXT = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|"[^"\n]*"/gu
const PAGE_TEXT = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|"[^"\n]*"|(?<=[>}])[^<>{}=;()]*\w[^<>{}=;()]*(?=[<{])/gu

/** Phrases that no platform engineer says to a colleague, and what to say instead. */
const ODD: readonly (readonly [RegExp, string])[] = [
  [/\bnobody\b(?!:)|\bsomebody\b|\beverybody\b|\bwhoever\b|\banybody\b/iu, 'no one, a person, an admin, no workload'],
  [/\banew\b/iu, 'again, repartition'],
  [/\b(?:take|takes|taken|taking|took)(?: \w+)?(?: it| this| that)? back\b/iu, 'undo, revert, rollback'],
  [/\b(?:carry|carries|carried|carrying)(?: it)? out\b/iu, 'apply'],
  [/\bway back\b/iu, 'rollback'],
  [/\bhalf-way\b|\bhalf changed\b/iu, 'partway, partly changed'],
  [/\bis the least\b/iu, 'the minimum is'],
  [/'Promised'|\bno number\b(?! of)/u, 'Estimated, no estimate'],
  [/\bview is not of\b|\bin a namespace that your\b/iu, 'a namespace you cannot see'],
  [/\blet (?:it|the class) go on\b/iu, 'resume'],
  [/\bput right\b|\bmend\b/iu, 'fix'],
  [/\bso there is nothing to (?:divide|show|cut)/iu, 'say only what is missing'],
  [/\bwhat was (?:told|last known)|was told of|(?<!never )speaks? of (?!itself)/iu, 'last known state'],
  [/\bis mailed\b|\bno letter\b|\b(?:a|the|this) letter\b(?! or)|\bletters stay\b/iu, 'email'],
  [/\bneeds the role\b|\btakes the role\b/iu, 'Only admins can …'],
  [/(?<!separated )\bby commas\b|\bcommas between\b/iu, 'separated by commas'],
  [/\bsmall letters\b/iu, 'lowercase letters'],
  [/^.?Empty: | Empty: /u, 'Leave empty for …'],
  [
    /\bgiven back\b|\bcannot be had\b|\bcan be had\b|\bstands? idle\b|\btaken for granted\b|\btakes for granted\b/iu,
    'removed, available, assumptions',
  ],
  [/\bin the way first\b|\bwhoever leaves\b|\bsomebody to leave\b/iu, 'blocked by'],
  [/\bholds? (?:from|with) the next\b/iu, 'applies from …'],
  [/\bis (?:kept|set|watched|named) now\b|\} is (?:set|removed|revoked|made)\./iu, 'saved, removed, created'],
  [
    /\bnot told\b(?! is)|\btells? no(?:ne)?\b|\b(?:cannot|can) be told\b(?! apart)|\bin all\b[.`'"]/iu,
    'unknown, total',
  ],
  [/\btell at\b|(?<!money )\bgoes to\b|\bends after\b/iu, 'notify, destination, expires'],
  [/\blook at (?:it|the)\b|\blook ahead\b/iu, 'open, check, review'],
  [/\bdoes not answer\b|\bhas not answered\b/iu, 'is not responding'],
  [/\bnothing of (?:it|what)\b|\bof which it is\b|\bof it not\b/iu, 'none of the …'],
  [/\bmake the token\b|\bset the (?:price|budget)\b|\bgive the role\b|\bi have kept it\b/iu, 'create, save'],
  [/\d %|\} %/u, '10%, without a space'],
  [/\banymore\b|\bany more\b|\bis not known\b(?! to)|'not known'/iu, 'no longer, unknown'],
]

describe('what people read on the dashboard, in answers, alerts, reports, mails and on the command line', () => {
  test('is said as an American platform engineer would say it', () => {
    const found = FILES.flatMap((file) =>
      shownTexts(readFileSync(join(ROOT, file), 'utf8'), file.endsWith('x')).flatMap((text) =>
        ODD.filter(([odd]) => text.includes(' ') && odd.test(text)).map(
          ([, instead]) => `${file}: ${text.slice(0, 160)} → ${instead}`,
        ),
      ),
    )
    expect(found).toEqual([])
  })

  test('is found in literals and between tags, and not in comments or names', () => {
    const source = [
      "// nobody\n/** somebody */\nconst nobody = 'Nobody waits'\n",
      'const page = <p className="anew">Cut anew{count}</p>\n',
    ].join('')
    const texts = shownTexts(source, true).join(' ')
    expect(texts).toContain('Nobody waits')
    expect(texts).toContain('Cut anew')
    expect(texts).not.toContain('somebody')
  })
})
