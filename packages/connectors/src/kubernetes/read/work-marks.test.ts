import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { pod } from '../watch/cluster-objects.fixture.ts'
import { parsePod } from './parse-pod.ts'
import { joinedMarks } from './work-marks.ts'

const GPU = { resources: { limits: { 'nvidia.com/gpu': '1' } } }
const marksOf = (container: object, ...others: object[]) =>
  parsePod(pod('t', 'p', { spec: { containers: [{ ...GPU, ...container }, ...others] } }))?.marks
const startsOf = (args: readonly string[], command: readonly string[] = []) =>
  marksOf({ image: 'vllm/vllm-openai', command, args })?.starts

test.each([
  ['vllm/vllm-openai:v0.6.3', 'vllm/vllm-openai'],
  ['registry.example.com:5000/mirror/vllm/vllm-openai@sha256:abcd', 'vllm/vllm-openai'],
  ['localhost/vllm-openai:dev', 'vllm-openai'],
  ['pytorch', 'pytorch'],
])('the image %s is %s, from whatever mirror and of whatever version', (image, name) =>
  expect(marksOf({ image })?.images).toEqual([name]),
)

test('what runs beside the GPUs is no mark, unless a claim is all that asks for them', () => {
  const proxy = { name: 'proxy', image: 'istio/proxyv2' }
  expect(marksOf({ image: 'a/llm' }, proxy)?.images).toEqual(['a/llm'])
  const spec = { containers: [{ image: 'a/llm' }, proxy], resourceClaims: [{ name: 'gpu', resourceClaimName: 'one' }] }
  expect(parsePod(pod('t', 'p', { spec }))?.marks.images).toEqual(['a/llm', 'istio/proxyv2'])
})

describe('arguments', () => {
  test('are told apart, however they are written, and by nothing that only names a run or a port', () => {
    const once = startsOf(['--tp', '2', '--port=8000', '--served-model-name', 'llm-a'])
    expect(startsOf(['--tp=2', '--port', '9000', '--served-model-name=llm-b'])).toEqual(once)
    expect(startsOf(['--tp=4'])).not.toEqual(once)
    expect(startsOf(['train.py', '--tp=2'])).not.toEqual(once)
    expect(startsOf([])).toEqual([])
  })

  test('never leave the reader, and a secret among them changes nothing', () => {
    const secret = fc.stringMatching(/^[\w-]{8,40}$/u).map((text) => `s3cret-${text}`)
    fc.assert(
      fc.property(secret, fc.constantFrom('--api-key', '--hf-token', '--db_password'), (value, flag) => {
        const marks = marksOf({
          image: 'a/b',
          args: ['--tp=2', `${flag}=${value}`, '--note', value],
          env: [{ name: 'MODEL_KEY', value }],
        })
        expect(JSON.stringify(marks)).not.toContain(value)
        expect(startsOf(['--tp=2', flag, value])).toEqual(startsOf(['--tp=2']))
      }),
    )
  })
})

test.each<[string, object]>([
  ['an argument', { args: ['--model=meta-llama/Llama-3-8B', '--tp=2'] }],
  ['two arguments', { args: ['--model-path', '/models/Llama-3-8B/'] }],
  ['a subcommand', { command: ['vllm', 'serve', 'meta-llama/Llama-3-8B'] }],
  ['a script', { command: ['sh', '-c', 'exec vllm serve meta-llama/Llama-3-8B --tp 2'] }],
  ['the environment', { env: [{ name: 'MODEL_ID', value: 'meta-llama/Llama-3-8B' }] }],
])('a model is known by its own name, from %s', (_, container) =>
  expect(marksOf(container)?.models).toEqual(['Llama-3-8B']),
)

test('a model at a place where any may lie is not known', () =>
  expect(marksOf({ args: ['--model=/mnt/models', '--tp=2'] })?.models).toEqual([]))

test('a workload has the marks of all its pods', () => {
  const [a, b] = ['a', 'b'].map((image) => marksOf({ image: `x/${image}`, args: ['--tp=2'] }))
  if (a === undefined || b === undefined) throw new Error('both ask for GPUs')
  expect(joinedMarks([a, b])).toEqual({ images: ['x/a', 'x/b'], starts: a.starts, models: [] })
  expect(joinedMarks([a, a])).toBe(a)
})
