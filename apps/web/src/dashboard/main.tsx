// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import '../theme/styles.css'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { App } from './App.tsx'
import { pageBase } from '../session/page-base.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('app.html has no element with the id "root"')

createRoot(root).render(
  <StrictMode>
    <App base={pageBase(location.pathname)} />
  </StrictMode>,
)
