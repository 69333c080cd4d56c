// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import '../theme/styles.css'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { SignInPage } from './SignInPage.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('auth.html has no element with the id "root"')

createRoot(root).render(
  <StrictMode>
    <SignInPage />
  </StrictMode>,
)
