import { parseArgs } from 'node:util'

import { fuzz } from './fuzz.ts'
import { inputOf } from './mutate.ts'
import { PARSERS, seedsOf, type ParserName } from './parsers.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    from: { type: 'string', default: '0' },
    show: { type: 'string' },
  },
  allowPositionals: true,
})
const { positionals } = parseArgs({ strict: false, allowPositionals: true })
const isParser = (name: string): name is ParserName => name in PARSERS
const all = Object.keys(PARSERS).filter(isParser)
const chosen = all.filter((name) => positionals.includes(name))
const names = chosen.length > 0 ? chosen : all

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

let isClean = true
for (const name of names) {
  if (values.show !== undefined) {
    say(JSON.stringify(inputOf(seedsOf(name), Number(values.show))))
    continue
  }
  const { inputs, findings } = await fuzz(name, { seconds: Number(values.seconds), first: Number(values.from) })
  say(`${name}: ${inputs} inputs, ${findings.length} findings`)
  for (const { number, because } of findings) say(`  input ${number}: ${because}`)
  isClean &&= findings.length === 0
}
if (!isClean) say('Show an input with: npm run fuzz -- PARSER --show NUMBER')
process.exitCode = isClean ? 0 : 1
