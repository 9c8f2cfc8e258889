-- Sends the load of one slice and prints the result as one line of JSON. All input comes from the environment,
-- because a key must be neither in a file nor in arguments that every user of the machine can read.
wrk.method = os.getenv("LOAD_METHOD")
wrk.body = os.getenv("LOAD_BODY")
wrk.headers["x-api-key"] = os.getenv("LOAD_API_KEY")
wrk.headers["if-none-match"] = os.getenv("LOAD_IF_NONE_MATCH")
if wrk.body then
  wrk.headers["content-type"] = "application/json"
end

function done(summary)
  local errors = summary.errors
  print(string.format(
    '{"requests":%d,"micros":%d,"refused":%d,"broken":%d}',
    summary.requests,
    summary.duration,
    errors.status,
    errors.connect + errors.read + errors.write + errors.timeout
  ))
end
