// Runs before anything is painted: applies the chosen colours, and detects a page around this one.

import { apply, recall } from './theme.js'

apply(recall())
if (self !== top) document.documentElement.dataset.framed = ''
