// Installs the tools of the long tests, which have a lock file of their own, if they are not there yet.
import { join } from 'node:path'

import { ensureInstalled } from './parts/install.mjs'
import { root } from './parts/root.mjs'

ensureInstalled('everything', join(root, 'tools'))
