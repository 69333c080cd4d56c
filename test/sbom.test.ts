import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'
import { z } from 'zod'

import { root } from './imports.ts'

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      dev: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
})
const Component = z.object({
  name: z.string(),
  version: z.string(),
  purl: z.string().startsWith('pkg:npm/'),
  licenses: z.array(z.unknown()).min(1),
  hashes: z.array(z.object({ alg: z.literal('SHA-512'), content: z.hex() })).optional(),
})
const Sbom = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.6'),
  serialNumber: z.templateLiteral(['urn:uuid:', z.uuid()]),
  metadata: z.object({ component: z.object({ name: z.literal('septet'), version: z.string() }) }),
  components: z.array(Component),
  dependencies: z.array(z.object({ ref: z.string() })),
})

/** As `npm run build` does at its end. */
const writeSbom = (folder: string): void => {
  const script = `import { writeSbom } from './scripts/parts/sbom.mjs'; writeSbom(process.argv[1])`
  execFileSync(process.execPath, ['--input-type=module', '--eval', script, folder], { cwd: root })
}

/** Names, versions and hashes of what is installed without development tools. */
function shipped(): string[] {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  const found = Object.entries(packages).flatMap(([path, { version, integrity = '', dev, link }]) => {
    const [, name] = /^.*node_modules\/(.+)$/u.exec(path) ?? []
    if (name === undefined || dev === true || link === true) return []
    const hash = Buffer.from(integrity.replace(/^sha512-/u, ''), 'base64').toString('hex')
    return `${name} ${version} ${hash}`
  })
  return [...new Set(found)].toSorted()
}

test('the build writes what is shipped, with version, license, hash and notice of each package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'septet-sbom-'))
  writeSbom(folder)
  const text = readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')
  const notices = readFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
  writeSbom(folder)
  expect(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')).toBe(text)
  rmSync(folder, { recursive: true })

  const { components } = Sbom.parse(JSON.parse(text))
  const others = components.filter(({ name }) => !name.startsWith('@septet/'))
  const listed = others.map(({ name, version, hashes }) => `${name} ${version} ${hashes?.[0]?.content ?? ''}`)
  expect([...new Set(listed)].toSorted()).toEqual(shipped())
  expect(components.length - others.length).toBeGreaterThan(0)
  expect(others.filter(({ name, version }) => !notices.includes(`${name} ${version}: `))).toEqual([])
  expect(notices).not.toContain('not stated')
})
