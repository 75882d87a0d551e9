import { lazy } from 'snowmint'

// Only the URL is read here. The first ID, or ready(), opens the store.
export const flake = lazy(`snowflake+${process.env.IDS_STORE}`)
