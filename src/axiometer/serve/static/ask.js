// Questions to the server: JSON with the page's token. To a worker where no server filled one in.
// Not for: what is asked (app.js), nor what is shown.

const token = document.querySelector("meta[name=token]").content;
const local = token === "TOKEN-" + "OF-THIS-SERVER" ? await import("./local.js") : null;

async function answered(path, init) {
  let response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return failed("The server has ended.", "Start it again: axiometer serve");
  }
  try {
    return await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return failed(`The server answered with status ${response.status}.`, "Load the page again.");
  }
}

function failed(message, remedy) {
  return { error: { message, remedy }, failed: true };
}

// The answer to a question; {error} if there is none.
export function ask(path, question, signal) {
  if (local) return local.answered(signal, path, JSON.stringify(question));
  const headers = { "Content-Type": "application/json", "X-Axiometer-Token": token };
  return answered(path, { method: "POST", headers, body: JSON.stringify(question), signal });
}

// The answer for a file of the user's, on `board` if it names none.
export async function send(path, file, board, signal) {
  const name = encodeURIComponent(file.name.slice(-80));
  if (local) return local.answered(signal, path, new Uint8Array(await file.arrayBuffer()), name, board);
  const headers = {
    "Content-Type": "application/octet-stream",
    "X-Axiometer-Token": token,
    "X-Axiometer-Board": encodeURIComponent(board),
    "X-Axiometer-Name": name,
  };
  return answered(path, { method: "POST", headers, body: file, signal });
}

// A function that does `work(signal)`, one at a time. With `abort`, a newer call ends the running
// one; else it waits for it, and only the newest of several waits.
export function newest(work, abort) {
  let running = null;
  let waiting = null;
  async function start(args) {
    const control = new AbortController();
    running = control;
    try {
      await work(control.signal, ...args);
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    } finally {
      if (running === control) {
        running = null;
        if (waiting) {
          const next = waiting;
          waiting = null;
          start(next);
        }
      }
    }
  }
  function call(...args) {
    if (running && !abort) {
      waiting = args;
      return;
    }
    running?.abort();
    start(args);
  }
  call.stop = () => {
    waiting = null;
    running?.abort();
  };
  return call;
}
