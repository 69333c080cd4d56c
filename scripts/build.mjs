// `npm run build`: builds the web app if its sources have changed. The server runs from source and needs no build.
import { ensureWebBuilt } from './parts/build-web.mjs'
import { ensureInstalled } from './parts/install.mjs'

ensureInstalled('production')
ensureWebBuilt()
