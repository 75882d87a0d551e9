// What has to be before anything is painted: the colours that were chosen, and whether there is a page
// around this one.

import { apply, recall } from './theme.js'

apply(recall())
if (self !== top) document.documentElement.dataset.framed = ''
