import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { tarArchive } from './tar-archive.ts'

let folder = ''
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'septet-archive-'))))
afterAll(() => rmSync(folder, { recursive: true }))

const FILES = [
  { path: 'PLAN.md', text: '# Zwölf Schritte 🧪\n' },
  { path: 'commands.sh', text: 'x'.repeat(1024) },
  { path: 'empty.yaml', text: '' },
  { path: `evictions/${'n'.repeat(90)}/${'p'.repeat(60)}.yaml`, text: 'kind: Eviction\n' },
]

test('the files of a plan download as one archive that tar unpacks as they are', () => {
  const archive = join(folder, 'plan.tar')
  writeFileSync(archive, tarArchive(FILES, new Date('2026-11-17T10:00:00Z')))
  execFileSync('tar', ['-xf', archive, '-C', folder])
  for (const { path, text } of FILES) expect(readFileSync(join(folder, path), 'utf8')).toBe(text)
  expect(statSync(join(folder, 'commands.sh')).mode & 0o111).not.toBe(0)
  expect(statSync(join(folder, 'PLAN.md')).mtime).toEqual(new Date('2026-11-17T10:00:00Z'))
})

test('a path that no archive holds is refused, not cut', () => {
  expect(() => tarArchive([{ path: 'n'.repeat(101), text: '' }], new Date(0))).toThrow('No archive holds')
})
