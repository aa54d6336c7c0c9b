// Show times in the zone and language of the account, or else of the browser; without this script they stay as the
// server wrote them. The sentence that the address points to is unfolded.
"use strict";

// Messages of scripts: English with {placeholders}. A reader's catalogue comes with the page, if there is one.
const catalogue = JSON.parse(document.querySelector("[data-catalogue]")?.textContent ?? "{}");
const filled = (text, args) => text.replace(/\{(\w+)\}/g, (field, name) => args[name] ?? field);
const message = (text, args = {}) => filled(catalogue[text] ?? text, args);
const message_n = (one, many, n, args = {}) => {
  const form = new Intl.PluralRules(document.documentElement.lang || "en").select(n);
  return filled(catalogue[one]?.[form] ?? (n === 1 ? one : many), { n, ...args });
};

const { zone: timeZone, language } = document.documentElement.dataset;

for (const time of document.querySelectorAll("time[data-at]")) {
  const at = new Date(Number(time.dataset.at));
  time.dateTime = at.toISOString();
  time.title = time.textContent;
  time.textContent = at.toLocaleString(language ?? "en-GB", { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short", timeZone });
}

const unfold = () => {
  const meant = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  for (let around = meant; around; around = around.parentElement) if (around.localName === "details") around.open = true;
  if (meant?.dataset.number) return; // scenes are shown by the film
  const own = meant?.querySelector(":scope > details");
  if (own) own.open = true;
  meant?.scrollIntoView({ block: "center" });
};
addEventListener("hashchange", unfold);
unfold();
