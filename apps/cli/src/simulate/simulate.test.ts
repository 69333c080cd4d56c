import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { UsageError } from '../report/report-options.ts'
import { runSimulate } from './run-simulate.ts'

const quiet = { step: () => undefined, end: () => undefined }
const run = (...args: string[]): string => runSimulate(args, quiet)

const NODES = `sn,cpu_milli,memory_mib,gpu,model
node-a,32000,65536,4,T4
node-b,16000,65536,2,P100
`
const PODS = `name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec
pod-0,4000,1024,1,1000,
pod-1,4000,1024,1,500,
pod-2,4000,1024,1,500,T4
pod-3,1000,1024,0,0,
pod-4,8000,1024,2,1000,
`

let trace = ''
beforeAll(() => {
  trace = mkdtempSync(join(tmpdir(), 'septet-simulate-'))
  writeFileSync(join(trace, 'openb_node_list_gpu_node.csv'), NODES)
  writeFileSync(join(trace, 'openb_pod_list_default.csv'), PODS)
})
afterAll(() => rmSync(trace, { recursive: true }))

describe('septet simulate', () => {
  it('prints one row per policy, in the order asked for, with what the figures mean', () => {
    const lines = run('--trace', trace, '--policy', 'septet,random', '--seeds', '3').split('\n')
    expect(lines[0]).toBe('6 GPUs, list default (5 pods), arrivals up to 130 % of the GPUs.')
    expect(lines[1]).toBe(
      '% of GPUs allocated, mean over 3 orders of arrival (seeds 42 to 44), ± half a 95 % interval.',
    )
    expect(lines.slice(5, 7).map((line) => line.split(' ')[0])).toEqual(['septet', 'random'])
  })

  it('says the same as JSON, apart from how long it took', () => {
    const report = JSON.parse(run('--trace', trace, '--policy', 'fgd', '--seeds', '1', '--json'))
    expect(report).toMatchObject({ list: 'default', gpus: 6, pods: 5, arrivals: 1.3, seeds: [42] })
    expect(report.results).toHaveLength(1)
    expect(report.results[0].policy).toBe('fgd')
    // One seed has no interval, and none is made up.
    expect(report.results[0].allocated).toEqual({ mean: expect.any(Number), samples: 1 })
    expect(report.results[0].allocated.mean).toBeGreaterThan(50)
  })

  it('says where a pod went and what came near', () => {
    const text = run('--trace', trace, '--policy', 'septet,random', '--explain', 'pod-2')
    expect(text).toContain('pod-2 asks for 500 milli of one GPU, 4 cores, 1024 MiB, on T4.')
    expect(text).toMatch(/^septet: node-a \(T4\) GPU \d$/mu)
    expect(text).toMatch(/^ {2}score -?[\d.e-]+: node-a \(T4\)/mu)
    expect(text).toMatch(/^random: node-a/mu)
  })

  it.each([
    [['--policy', 'fgd'], 'Name the folder of the trace: --trace DIR.'],
    [['--trace', '.', '--policy', 'best'], 'There is no policy "best". There are: random, dot-product,'],
    [['--trace', '.', '--seeds', '0'], '--seeds is "0" but must be a whole number from 1 to 1000.'],
    [['--trace', '.', '--arrivals', 'many'], '--arrivals is "many" but must be a number from 0.01 to 10.'],
    [['--trace', '.', '--list', '../x'], '--list is "../x" but must be a list\'s name, such as default.'],
    [['--trace', '.', '--polcy', 'fgd'], "Unknown option '--polcy'"],
  ])('refuses %j with a sentence', (args, message) => {
    expect(() => run(...args)).toThrow(UsageError)
    expect(() => run(...args)).toThrow(message)
  })

  it('says which file is missing and which lists there are', () => {
    expect(() => run('--trace', join(trace, 'nowhere'))).toThrow(/^There is no folder .*nowhere\./u)
    expect(() => run('--trace', trace, '--list', 'gpuspec33')).toThrow(
      /gpuspec33\.csv is missing\. Its lists are: default\.$/u,
    )
  })

  it('says what is wrong in a file, with line and column', () => {
    const broken = `${trace}-broken`
    cpSync(trace, broken, { recursive: true })
    writeFileSync(join(broken, 'openb_pod_list_default.csv'), PODS.replace('pod-1,4000', 'pod-1,-4'))
    expect(() => run('--trace', broken)).toThrow('openb_pod_list_default.csv, line 3: cpu_milli is "-4"')
    rmSync(broken, { recursive: true })
  })

  it('says that no such pod arrives', () => {
    expect(() => run('--trace', trace, '--explain', 'pod-9')).toThrow('No pod "pod-9" arrives.')
  })

  it('lists the policies in its help', () => {
    expect(run('--help')).toContain('septet-learning')
  })
})
