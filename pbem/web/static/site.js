// Instants in the reader's own zone; without this script they stand in UTC.
"use strict";

for (const time of document.querySelectorAll("time[data-at]")) {
  const at = new Date(Number(time.dataset.at));
  time.dateTime = at.toISOString();
  time.title = time.textContent;
  time.textContent = at.toLocaleString(undefined, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
}
