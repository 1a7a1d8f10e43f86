// The state of the page in the part of its address after #, which browsers do not send anywhere.

const TEXTS = ["ports", "mode", "master"];
const NUMBERS = ["width_bits", "pl_mhz", "burst_beats", "transfer_bytes"];

function coded(text) {
  return encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%3D", "=");
}

// The part of the address for a state.
export function written(state) {
  const parts = [["board", state.board]];
  for (const [key, value] of Object.entries(state.keys)) {
    parts.push([key, String(value).replaceAll("+", ",")]);
  }
  for (const master of state.masters) {
    parts.push(["with", Object.entries(master).map(([key, value]) => `${key}:${value}`).join(",")]);
  }
  for (const setting of state.more) parts.push(["set", setting]);
  if (state.along) parts.push(["along", state.along]);
  return "#" + parts.map(([name, value]) => `${name}=${coded(value)}`).join("&");
}

// The state in an address, and what of it is not understood.
export function read(hash) {
  const state = { board: "", keys: {}, masters: [], more: [], along: "" };
  const odd = [];
  for (const part of hash.replace(/^#/, "").split("&").filter(Boolean)) {
    const [name, ...rest] = part.split("=");
    let value;
    try {
      value = decodeURIComponent(rest.join("="));
    } catch {
      odd.push(part);
      continue;
    }
    if (name === "board" || name === "along") state[name] = value;
    else if (TEXTS.includes(name) && value) state.keys[name] = name === "ports" ? value.replaceAll(",", "+") : value;
    else if (NUMBERS.includes(name) && Number.isFinite(Number(value)) && value) state.keys[name] = Number(value);
    else if (name === "set" && value) state.more.push(value);
    else if (name === "with" && value) state.masters.push(master(value));
    else odd.push(part);
  }
  return { state, odd };
}

// The question of a state in words, before anybody has understood it.
export function said(state) {
  const keys = Object.entries(state.keys).map(([key, value]) => `${key.replaceAll("_", " ")} ${value}`);
  return [state.board, ...keys, ...state.masters.map((master) => master.name ?? master.kind), ...state.more].join(", ");
}

function master(text) {
  const found = {};
  for (const part of text.split(",")) {
    const at = part.indexOf(":");
    const key = part.slice(0, at);
    const value = part.slice(at + 1);
    if (at > 0 && value) found[key] = key !== "name" && Number.isFinite(Number(value)) ? Number(value) : value;
  }
  return found;
}
