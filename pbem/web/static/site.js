// Instants in the zone of the account, or else of the browser; without this script they stand as the server wrote them.
"use strict";

const timeZone = document.documentElement.dataset.zone;

for (const time of document.querySelectorAll("time[data-at]")) {
  const at = new Date(Number(time.dataset.at));
  time.dateTime = at.toISOString();
  time.title = time.textContent;
  time.textContent = at.toLocaleString(undefined, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short", timeZone });
}
