/** An error that is answered with this status. */
export function refusal(statusCode, message) {
  return Object.assign(new Error(message), { statusCode })
}

/** The row, or an error that is answered with 404. */
export function found(row) {
  if (row === undefined) throw refusal(404, 'not found')
  return row
}

// The database cannot be reached, or ends the connection: codes of Node and PostgreSQL, messages of pg.
const DOWN = /^(ECONN|ETIMEDOUT|EHOST|ENOTFOUND|EAI_AGAIN|EPIPE|08|53|57P|Connection terminated|Client has|timeout exceeded)/

/** The status and the body of the answer to an error, for every framework. */
export function answerTo(error) {
  if (error.statusCode < 500) return { status: error.statusCode, body: { message: error.message } }
  if (error.code === 'time_out_of_range') return { status: 400, body: { message: error.message } } // of minId
  if (error.name === 'SnowmintError') return { status: 503, body: { code: error.code } } // no ID for now
  const { code, message } = error.cause ?? error // Drizzle wraps the error of the database
  if (DOWN.test(code ?? message)) return { status: 503, body: { code: 'database_down' } }
  // A text with a NUL, or one that is no zone or no UUID.
  if (/^22(021|023|P02)$/.test(code)) return { status: 400, body: { code: 'invalid' } }
  if (/^2350[35]$/.test(code)) return { status: 409, body: { code: 'conflict' } } // a foreign key, or a unique column
  return { status: 500, body: { code: 'internal' } }
}
