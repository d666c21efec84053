import 'uplot/dist/uPlot.min.css'
import './styles/base.css'
import './styles/layout.css'
import './styles/parts.css'
import './styles/fields.css'
import './styles/charts.css'
import './styles/overlays.css'
import './styles/execution.css'
import './styles/data.css'
import './styles/editors.css'
import './styles/print.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Provider } from 'urql'
import { applyTheme } from './app/theme.ts'
import { client } from './graph/client.ts'
import { router } from './router.tsx'

applyTheme()
const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
createRoot(root).render(
  <StrictMode>
    <Provider value={client}>
      <RouterProvider router={router} />
    </Provider>
  </StrictMode>,
)
