// News: ask the server from time to time whether anything new has happened in the match.
"use strict";

{
  const page = document.querySelector("[data-match]");
  const lines = document.querySelector("#lines");
  let tag = null;
  let first = null;
  let touched = false;
  lines?.addEventListener("input", () => { touched = true; });
  if (location.pathname !== new URL(page.dataset.url, location.href).pathname) history.replaceState(null, "", page.dataset.url);

  const ask = async () => {
    if (document.hidden) return;
    const answer = await fetch(page.dataset.status, { headers: tag ? { "If-None-Match": tag } : {}, credentials: "same-origin", cache: "no-store" });
    if (answer.status !== 200) return;
    tag = answer.headers.get("ETag");
    const now = await answer.json();
    const bar = page.querySelector("[data-percent]");
    if (bar && now.percent !== null) bar.value = now.percent;
    if (first === null) {
      first = now;
      if (!page.querySelector("[data-playing]") || now.playing) return;
      first = { ...now, playing: true }; // the turn was finished before this script first asked
    }
    if (now.view === first.view && now.exchange === first.exchange && now.state === first.state && now.playing === first.playing) return;
    if (touched) page.querySelector("[data-news]").hidden = false;
    else location.assign(page.dataset.url);
  };
  ask().catch(() => {});
  const playing = page.querySelector("[data-playing]") !== null;
  setInterval(() => ask().catch(() => {}), playing ? 1000 : 15000);
}
