import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { checkFolder, writePlanFolder } from './plan-folder.ts'
import { readPlanOptions } from './plan-options.ts'

const read = (...args: string[]) => readPlanOptions(args, { SEPTET_DATA_DIR: '/data' })

describe('the options of septet plan', () => {
  test('name a cluster, the demo, or a snapshot', () => {
    expect(read('--cluster', 'demo').source).toMatchObject({ kind: 'demo', kubeconfig: '/data/demo.kubeconfig' })
    expect(read('--cluster', 'prod', '--kubeconfig', 'k').source).toMatchObject({ kind: 'cluster', context: 'prod' })
    expect(read('--snapshot', 's.json')).toMatchObject({
      source: { kind: 'snapshot', file: 's.json' },
      wish: { maxDisplaced: 10, mayWait: false, goal: { kind: 'fit' } },
    })
    expect(read('--server', 'https://s.example', '--cluster', 'prod')).toMatchObject({
      source: { kind: 'server', cluster: 'prod' },
    })
  })

  test.each([
    [[], /--cluster demo, or --kubeconfig FILE, or --snapshot FILE/u],
    [['--cluster', 'prod'], /Name the cluster/u],
    [['--cluster', 'a', '--snapshot', 'b'], /not both/u],
    [['--cluster', 'a', '--context', 'b', '--kubeconfig', 'k'], /mean the same/u],
    [['--snapshot', 's', '--goal', 'win'], /must be one of fit, cost, free-node, room-for/u],
    [['--snapshot', 's', '--actuator', 'hand'], /must be one of mig-manager, dra/u],
    [['--snapshot', 's', '--max-displaced', '-1'], /must be|ambiguous/u],
    [['--snapshot', 's', '--max-displaced', '1.5'], /whole number from 0 to 1000/u],
    [['--snapshot', 's', '--node', 'a'], /--node cannot be used with --goal fit/u],
    [['--snapshot', 's', '--goal', 'room-for'], /--profile 3g.40gb/u],
    [['--snapshot', 's', '--out', ' '], /--out is empty/u],
    [['--kubeconfig', 'k', '--prometheus', 'file:///etc/passwd'], /must be an http/u],
    [['--snapshot', 's', '--colour'], /--colour/u],
    [['--server', 'https://s.example', '--snapshot', 's'], /With --server, only --cluster/u],
    [['--server', 'https://s.example', '--explain', 'lab/one'], /leave out --server/u],
  ])('are refused when they make no sense: %j', (args, words) => {
    expect(() => read(...args)).toThrow(words)
  })
})

describe('the directory of a plan', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'septet-plan-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const plan = { path: 'plan.json', text: '{\n  "id": "plan-0123456789abcdef"\n}\n' }

  test('is made where there is none, and refused where something is', () => {
    const out = join(folder, 'new', 'plan')
    writePlanFolder(out, [plan, { path: 'undo/commands.sh', text: '#!/bin/sh\n' }], false)
    expect(readFileSync(join(out, 'undo/commands.sh'), 'utf8')).toBe('#!/bin/sh\n')
    expect(() => checkFolder(out, false)).toThrow(/is not empty.*--force/u)
    expect(() => checkFolder(join(out, 'plan.json'), true)).toThrow(/is a file/u)
  })

  test('with force loses the files of an older plan and keeps all others', () => {
    writePlanFolder(folder, [plan, { path: 'mig-parted/old.yaml', text: 'old' }], false)
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    writePlanFolder(folder, [plan, { path: 'mig-parted/new.yaml', text: 'new' }], true)
    expect(readdirSync(join(folder, 'mig-parted'))).toEqual(['new.yaml'])
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine')
  })

  test('with force keeps what only looks like a plan', () => {
    mkdirSync(join(folder, 'patches'))
    writeFileSync(join(folder, 'patches/mine.patch'), 'mine')
    writePlanFolder(folder, [plan], true)
    expect(readFileSync(join(folder, 'patches/mine.patch'), 'utf8')).toBe('mine')
  })

  test('is never left: not by a name, not by a link', () => {
    expect(() => writePlanFolder(folder, [{ path: '../escaped', text: 'x' }], false)).toThrow(/outside/u)
    const other = mkdtempSync(join(tmpdir(), 'septet-other-'))
    symlinkSync(other, join(folder, 'undo'))
    expect(() => writePlanFolder(folder, [{ path: 'undo/commands.sh', text: 'x' }], true)).toThrow(/is a link/u)
    expect(readdirSync(other)).toEqual([])
    rmSync(other, { recursive: true })
  })
})
