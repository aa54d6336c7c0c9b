// Drafts: the text is saved on the server a second after the last change, and kept in this browser while the
// connection is lost. Undo and redo go through the states of the text, one for each change.
"use strict";

{
  const PAUSE = 1000;
  const form = document.querySelector("[data-draft]");
  const area = document.querySelector("#lines");
  const said = document.querySelector("[data-draft-said]");
  const tick = document.querySelector("[data-at-deadline]");
  const key = form && `draft ${form.dataset.draft} ${form.elements.exchange.value} ${form.elements.seat?.value ?? ""}`;
  let version = 0, timer = null, quiet = false;
  const states = [area?.value ?? ""];
  let place = 0;

  // The text that the server does not have yet, and the version of the draft that it is based on.
  const keep = (text) => { try { text === null ? localStorage.removeItem(key) : localStorage.setItem(key, JSON.stringify({ text, version })); } catch { /* a private window keeps nothing */ } };
  const kept = () => { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } };

  const write = (text) => {
    quiet = true;
    area.value = text;
    area.dispatchEvent(new Event("input"));
    quiet = false;
    buttons();
  };

  const buttons = () => {
    document.querySelector("[data-undo]").disabled = place === 0;
    document.querySelector("[data-redo]").disabled = place >= states.length - 1;
  };

  const ask = (other) => {
    const use = make("button", { type: "button", className: "quiet", textContent: message("Use those") });
    const mine = make("button", { type: "button", className: "quiet", textContent: message("Keep these") });
    use.addEventListener("click", () => { version = other.version; keep(null); remember(other.text); write(other.text); if (tick) tick.checked = other.at_deadline; said.textContent = message("These are the orders from the other tab."); });
    mine.addEventListener("click", () => { version = other.version; save(); });
    said.replaceChildren(`${message("Another tab has saved other orders.")} `, use, " ", mine);
  };

  const save = async () => {
    const text = area.value;
    keep(text);
    const body = new FormData(form);
    body.set("version", version);
    body.set("at_deadline", tick?.checked ? "true" : "false");
    try {
      const answer = await fetch(form.dataset.draft, { method: "POST", body, credentials: "same-origin" });
      if (answer.status === 409) { ask((await answer.json()).draft); return; }
      if (!answer.ok) throw new Error(String(answer.status));
      version = (await answer.json()).draft.version;
      if (area.value === text) keep(null);
      said.textContent = tick?.checked ? message("Draft saved. It will be sealed at the deadline unless you seal other orders first.") : message("Draft saved. It does not count until you submit it.");
    } catch {
      said.textContent = message("Not saved on the server: the connection was lost. This browser keeps your draft.");
      clearTimeout(timer);
      timer = setTimeout(save, 10 * PAUSE);
    }
  };

  const remember = (text) => {
    if (text === states[place]) return;
    states.splice(place + 1, states.length, text);
    place = states.length - 1;
    buttons();
  };

  const go = (step) => {
    if (place + step < 0 || place + step >= states.length) return;
    place += step;
    write(states[place]);
    later();
  };

  const later = () => { clearTimeout(timer); timer = setTimeout(save, PAUSE); };

  const begin = async () => {
    document.querySelector("[data-draft-tools]").hidden = false;
    document.querySelector("[data-undo]").addEventListener("click", () => go(-1));
    document.querySelector("[data-redo]").addEventListener("click", () => go(1));
    buttons();
    area.addEventListener("input", () => { if (quiet) return; remember(area.value); later(); });
    tick?.addEventListener("change", later);
    addEventListener("online", () => { if (kept() !== null) later(); });
    form.addEventListener("submit", (event) => setTimeout(() => { if (!event.defaultPrevented) { clearTimeout(timer); keep(null); } }));
    const answer = await fetch(form.dataset.saved, { credentials: "same-origin", cache: "no-store" });
    const draft = answer.ok ? (await answer.json()).draft : null;
    version = draft?.version ?? 0;
    if (tick && draft) tick.checked = draft.at_deadline;
    const own = kept();
    const text = own?.text ?? draft?.text;
    if (form.dataset.refused !== undefined || text === undefined || text === null || text === area.value) return;
    remember(text);
    write(text);
    said.textContent = message("Your draft is back.");
    if (own && own.version < version && draft.text !== text) { version = own.version; ask(draft); } // another tab saved since
    else if (own) later();
  };

  if (form && area) begin().catch(() => {});
}
