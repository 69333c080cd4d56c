// `node test/answers/answers.mjs record FOLDER [--checkout DIR] [--seed 7]` writes down everything that a checkout answers on
// the demo cluster at one instant; `node test/answers/answers.mjs compare BEFORE AFTER` tells how two such folders differ.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { askEverything } from './ask-everything.mjs'
import { startFrozen } from './frozen-septet.mjs'
import { root } from '../../scripts/parts/root.mjs'

const MOST_SHOWN = 5
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { checkout: { type: 'string', default: root }, seed: { type: 'string', default: '7' } },
})
async function recordTo(folder) {
  const checkout = resolve(values.checkout)
  const septet = await startFrozen({ checkout, seed: values.seed })
  rmSync(folder, { recursive: true, force: true })
  const ownWords = { [septet.folder]: 'FOLDER', [checkout]: 'CHECKOUT' }
  let count = 0
  const keep = ({ face, subject, question, answer, ...rest }) => {
    const asked = normal(question, ownWords)
    const name = asked.replaceAll(/[^\w.,=@-]+/gu, '_')
    const digest = createHash('sha256').update(asked).digest('hex').slice(0, 8)
    const file = join(folder, face, subject, `${name.length < 120 ? name : `${name.slice(0, 100)}-${digest}`}.json`)
    const said = typeof answer === 'string' ? answer.split('\n') : answer
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, normal(`${JSON.stringify({ asked, ...rest, answer: said }, rounded, 1)}\n`, ownWords))
    count += 1
  }
  try {
    await askEverything(septet, { checkout, keep })
  } finally {
    await septet.stop()
  }
  console.log(`${count} answers are in ${folder}`)
}

/** Sums depend on the order of their parts, in the last digits. */
const rounded = (_key, value) => (typeof value === 'number' ? Number(value.toPrecision(10)) : value)

/** Without what is drawn at random or belongs to this one run. */
function normal(text, ownWords) {
  return Object.entries(ownWords)
    .reduce((left, [own, word]) => left.replaceAll(own, word), text)
    .replaceAll(/127\.0\.0\.1:\d+/gu, '127.0.0.1:PORT')
    .replaceAll(/"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"/gu, '"UUID"')
    .replaceAll(/action-[0-9a-f]{8}\b/gu, 'action-ID')
    .replaceAll(/spt_\w{20,}/gu, 'spt_SECRET')
}

/** Prints which answers differ and where, by what was asked; 0 where none does. */
function compare(before, after) {
  const files = [...new Set([before, after].flatMap(filesIn))].toSorted(byText)
  const different = files.flatMap((file) => {
    const [was, is] = [before, after].map((folder) => read(join(folder, file)))
    const differences = was === undefined ? ['is new'] : is === undefined ? ['is gone'] : differing(was, is, '')
    return differences.length === 0 ? [] : [{ file, differences }]
  })
  const groups = Map.groupBy(different, ({ file }) => dirname(file))
  for (const [subject, found] of groups) {
    console.log(`\n${subject}: ${found.length} answers`)
    for (const { file, differences } of found.slice(0, MOST_SHOWN)) {
      const more = differences.length > MOST_SHOWN ? [`and ${differences.length - MOST_SHOWN} more`] : []
      console.log([`  ${basename(file)}`, ...differences.slice(0, MOST_SHOWN), ...more].join('\n    '))
    }
  }
  console.log(`\n${different.length} of ${files.length} answers differ, in ${groups.size} subjects`)
  return different.length === 0 ? 0 : 1
}

const byText = (a, b) => a.localeCompare(b)
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => relative(folder, join(file.parentPath, file.name)))
const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)
const isTree = (value) => typeof value === 'object' && value !== null

function differing(was, is, path) {
  if (Object.is(was, is)) return []
  if (!isTree(was) || !isTree(is)) return [`${path}: ${shown(was, is)} → ${shown(is, was)}`]
  if (Array.isArray(was) && Array.isArray(is) && ![...was, ...is].some(isTree)) return differingLines(was, is, path)
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((key) =>
    differing(was[key], is[key], `${path}.${key}`),
  )
}

function differingLines(was, is, path) {
  const gone = was.filter((line) => !is.includes(line)).map((line) => `${path} - ${shown(line)}`)
  const come = is.filter((line) => !was.includes(line)).map((line) => `${path} + ${shown(line)}`)
  const lines = [...gone, ...come]
  return lines.length === 0 && String(was) !== String(is) ? [`${path}: another order`] : lines
}

/** What is in a value, from a little before the place where it differs from the other. */
function shown(value, other = value) {
  const [text = 'nothing', beside = ''] = [value, other].map((each) => JSON.stringify(each))
  const from = text === beside ? 0 : text.split('').findIndex((letter, at) => letter !== beside[at])
  return text.slice(Math.max(0, from - 60), Math.max(0, from) + 160)
}

const [verb, ...folders] = positionals
if (verb === 'record' && folders.length === 1) await recordTo(folders[0])
else if (verb === 'compare' && folders.length === 2) process.exitCode = compare(...folders)
else throw new Error('record FOLDER [--checkout DIR] [--seed 7], or compare BEFORE AFTER')
