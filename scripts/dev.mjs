// `npm run dev`: the server restarts when its sources change; Vite serves the pages with hot reload.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

import { ensureInstalled } from './parts/install.mjs'
import { node24, toolEnvironment } from './parts/node24.mjs'
import { root } from './parts/root.mjs'

ensureInstalled('everything')
const children = [
  spawn(node24(), ['--watch', '--disable-warning=ExperimentalWarning', join(root, 'apps/server/src/main.ts')], {
    cwd: root,
    stdio: 'inherit',
    env: toolEnvironment(),
  }),
  spawn(node24(), [join(root, 'node_modules/vite/bin/vite.js')], {
    cwd: join(root, 'apps/web'),
    stdio: 'inherit',
    env: toolEnvironment(),
  }),
]
for (const child of children) child.on('exit', () => children.forEach((other) => other.kill()))
