import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { UsageError } from '../options/command-options.ts'
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

const refusedWith = (files: { nodes?: string; pods?: string }, ...args: string[]): string => {
  const odd = mkdtempSync(join(tmpdir(), 'septet-simulate-odd-'))
  writeFileSync(join(odd, 'openb_node_list_gpu_node.csv'), files.nodes ?? NODES)
  writeFileSync(join(odd, 'openb_pod_list_default.csv'), files.pods ?? PODS)
  try {
    return run('--trace', odd, ...args)
  } catch (error) {
    return error instanceof Error ? error.message : 'no error'
  } finally {
    rmSync(odd, { recursive: true })
  }
}
describe('septet simulate', () => {
  it('prints one row per policy, in the order asked for, with what the figures mean and who is ahead', () => {
    const lines = run('--trace', trace, '--policy', 'septet,random', '--seeds', '3').split('\n')
    expect(lines[0]).toBe(
      '6 GPUs; 5 pods of list default, drawn until they ask for 130% of the GPUs; 3 orders of arrival.',
    )
    expect(lines[2]).toMatch(/^policy +at 100% +at 130% +above septet +fragmented +pods skipped +seconds a run$/u)
    expect(lines.slice(4, 6).map((line) => line.split(' ')[0])).toEqual(['septet', 'random'])
    expect(lines.at(-2)).toMatch(/^Most: (septet|random)[,;]/u)
    expect(lines).toContain('Mean over the orders, ± half a 95% interval (seeds 42 to 44).')
  })

  it('reads a list that has no gpu_spec column, as some of the published ones: its pods take any model', () => {
    const withoutColumn = PODS.replaceAll(/,\w*$/gmu, '')
    expect(withoutColumn).toContain('pod-2,4000,1024,1,500\n')
    writeFileSync(join(trace, 'openb_pod_list_plain.csv'), withoutColumn)
    try {
      expect(run('--trace', trace, '--policy', 'septet', '--list', 'plain', '--seeds', '1')).toContain(
        '6 GPUs; 5 pods of list plain,',
      )
    } finally {
      rmSync(join(trace, 'openb_pod_list_plain.csv'))
    }
  })

  it('tells how far it is within a run, and clears the line in the end', () => {
    const steps: Array<number | string> = []
    const progress = {
      step: (done: number, of: number) => steps.push(done / of),
      end: () => steps.push('end'),
    }
    runSimulate(['--trace', trace, '--policy', 'fgd,random', '--seeds', '2'], progress)
    const shares = steps.filter((step) => typeof step === 'number')
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.length).toBeGreaterThan(8)
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true)
    expect(steps.at(-1)).toBe('end')
  })

  it('leaves out what a shorter or lonely run does not have', () => {
    const text = run('--trace', trace, '--policy', 'fgd', '--seeds', '1', '--arrivals', '0.5')
    expect(text).toMatch(/^policy +at 50% +fragmented/mu)
    expect(text).not.toContain('Most:')
    expect(text).toContain('One order of arrival has no interval.')
  })

  it('compares MIG policies on the same list, and says what stands for what', () => {
    const text = run('--trace', trace, '--as', 'mig', '--policy', 'static-balanced,septet,whole-gpus', '--seeds', '2')
    expect(text).toContain('every GPU is an A100-80GB, and a pod asks for ceil(gpu_milli × 7 / 1000)')
    expect(text.split('\n').every((line) => line.length <= 120)).toBe(true)
    expect(text).toMatch(/2 ×\s4g\.40gb,\s1\s×\s7g\.80gb/u)
    expect(text).toContain('Left out: pods without a GPU (1) and with several (1).')
    expect(text).toMatch(/^static-balanced +0\.00 ± 0\.00/mu)
    const report = JSON.parse(run('--trace', trace, '--as', 'mig', '--board', 'a30-24gb', '--seeds', '1', '--json'))
    expect(report).toMatchObject({ as: 'mig', gpus: 6, pods: 3 })
    expect(report.notes[0]).toContain('every GPU is an A30-24GB')
    expect(report.results.map(({ policy }: { policy: string }) => policy)).toContain('static-balanced')
  })

  it('says where a MIG policy put a pod, and why a pod is left out', () => {
    const mig = ['--trace', trace, '--as', 'mig']
    const text = run(...mig, '--policy', 'best-fit,static-balanced', '--explain', 'pod-1')
    expect(text).toContain('pod-1 asks for one 4g.40gb (recorded: 500 milli of one GPU).')
    expect(text).toMatch(/^best-fit: GPU \d, memory slices 0 1 2 3; the GPU was empty$/mu)
    expect(text).toMatch(/^static-balanced: skipped: it fits nowhere$/mu)
    expect(() => run(...mig, '--explain', 'pod-3')).toThrow('pod-3 asks for no GPU, so it is left out')
    expect(() => run(...mig, '--explain', 'pod-4')).toThrow('pod-4 asks for several GPUs')
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
    expect(text).toMatch(/^septet: node-a \(T4\) GPU \d; left there: [\d ]+ milli, \d+ cores$/mu)
    expect(text).toMatch(/^ {2}score -?[\d.e-]+: node-a \(T4\)/mu)
    expect(text).toMatch(/^random: node-a/mu)
  })

  it.each([
    [['--policy', 'fgd'], 'Name the folder of the trace: --trace DIR.'],
    [['--trace', '.', '--policy', 'best'], 'There is no policy "best". There are: random, dot-product,'],
    [['--trace', '.', '--seeds', '0'], '--seeds is "0" but must be a whole number from 1 to 1000.'],
    [['--trace', '.', '--arrivals', 'many'], '--arrivals is "many" but must be a number from 0.01 to 10.'],
    [['--trace', '.', '--list', '../x'], '--list is "../x" but must be a list\'s name, such as default.'],
    [['--trace', '.', '--seeds', '1e9'], '--seeds is "1e9" but must be a whole number from 1 to 1000.'],
    [['--trace', '.', '--seeds', '2.5'], '--seeds is "2.5" but must be a whole number'],
    [['--trace', '.', '--arrivals=-1.3'], '--arrivals is "-1.3" but must be a number from 0.01 to 10.'],
    [['--trace', '.', '--arrivals', '1e300'], '--arrivals is "1e300" but must be a number from 0.01 to 10.'],
    [['--trace', '.', '--arrivals', 'NaN'], '--arrivals is "NaN" but must be a number'],
    [['--trace', '.', '--policy', ''], 'There is no policy "". There are: random,'],
    [['--trace', '.', '--as', 'mps'], '--as is "mps" but must be shares or mig.'],
    [['--trace', '.', '--board', 'A30-24GB'], '--board says what MIG cuts: it goes with --as mig.'],
    [['--trace', '.', '--as', 'mig', '--board', 'T4'], '--board is "T4" but must be one of: A30-24GB,'],
    [
      ['--trace', '.', '--as', 'mig', '--policy', 'dot-product'],
      '"dot-product" works on GPU shares: leave out --as mig.',
    ],
    [['--trace', '.', '--policy', 'static-1g'], '"static-1g" works on MIG instances: add --as mig. There are: random,'],
    [
      ['--trace', '.', '--as', 'mig', '--policy', 'x'],
      'no policy "x" for --as mig on A100-80GB. There are: whole-gpus,',
    ],
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

  const header = 'name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec'

  it('refuses a list whose requests are so small that arrivals would never end', () => {
    const nodes = `sn,cpu_milli,memory_mib,gpu,model\n${Array.from({ length: 40 }, (_, n) => `n${n},1000,1000,64,T4`).join('\n')}\n`
    const tiny = { nodes, pods: `${header}\np,1,1,1,1,\n` }
    expect(refusedWith(tiny)).toContain("need about 3,328,000 pods of this list's mean request; at most 1,000,000")
  })

  it('says that there is nothing to allocate, or nothing that MIG can serve', () => {
    expect(refusedWith({ nodes: 'sn,cpu_milli,memory_mib,gpu,model\nn,1000,1000,0,\n' })).toMatch(
      /^No node .* has a GPU/u,
    )
    expect(refusedWith({ pods: `${header}\np,1,1,0,0,\n` })).toMatch(/^No pod of this list asks for a GPU/u)
    expect(refusedWith({ pods: `${header}\np,1,1,2,1000,\n` }, '--as', 'mig')).toMatch(
      /^No pod of this list asks for one/u,
    )
    expect(refusedWith({ pods: `${header}\n` })).toContain('has a header and no rows')
    expect(refusedWith({ pods: 'name,cpu_milli\np,1\n' })).toContain('no column "memory_mib"')
  })

  it('counts the pods that fit nowhere even in the empty fleet, such as those for models that no node has', () => {
    const pods = `${PODS}pod-5,1000,1024,1,500,Zeta9\npod-6,1000,1024,8,1000,\n`
    expect(refusedWith({ pods }, '--seeds', '1', '--policy', 'best-fit')).toContain(
      '2 pods of the list fit on no node even where all are empty (pod-5 is one): always skipped.',
    )
  })

  it('says that no such pod arrives', () => {
    expect(() => run('--trace', trace, '--explain', 'pod-9')).toThrow('No pod "pod-9" arrives.')
  })

  it('lists the policies in its help', () => {
    expect(run('--help')).toContain('septet-learning')
  })
})
