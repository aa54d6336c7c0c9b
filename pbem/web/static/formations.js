// Orders for many: choose formations or single units, say what they shall do, and the server proposes whole lines.
"use strict";

{
  const box = document.querySelector("[data-formations]");
  const area = document.querySelector("#lines");
  const form = document.querySelector("[data-orders]");

  const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const line_of = (unit) => new RegExp(`^[ \\t]*${escaped(unit)}(?![\\w-])[^\\n]*$`, "im");
  const order_of = (unit) => (line_of(unit).exec(area.value)?.[0] ?? "").split("#")[0].trim().slice(unit.length).replace(/^:/, "").trim();
  const is_ordered = (unit) => !["", "hold", "stay", "no-command"].includes(order_of(unit).toLowerCase());
  const units_in = (check) => check.dataset.formation.split(" ");
  const checks = () => [...box.querySelectorAll("[data-formation]")];
  const chosen = () => [...new Set(checks().filter((check) => check.checked).flatMap(units_in))];

  const count = () => {
    for (const check of checks()) {
      const units = units_in(check);
      const done = units.filter(is_ordered).length;
      check.closest("label").querySelector("[data-count]").textContent = `${done} of ${units.length} have an order`;
    }
    const all = [...new Set(checks().flatMap(units_in))];
    const idle = all.filter((unit) => !is_ordered(unit));
    const many = box.querySelector("[data-idle]");
    many.textContent = idle.length ? `${idle.length} of ${all.length} units have no order` : "Every unit has an order";
    document.querySelector(".orders button[value=final]")?.classList.toggle("loud", !idle.length); // not the loudest while units have none
  };

  // Each proposed line takes the place of the line that begins with the same unit.
  const put = (lines) => {
    let text = area.value;
    for (const line of lines) {
      const unit = line.trim().split(/[\s:]/)[0];
      text = line_of(unit).test(text) ? text.replace(line_of(unit), () => line) : `${text.replace(/\n*$/, "\n")}${line}\n`;
    }
    area.value = text;
    area.dispatchEvent(new Event("input"));
  };

  const ask = async () => {
    const said = box.querySelector("[data-proposed]");
    const units = box.querySelector("[data-only-idle]").checked ? chosen().filter((unit) => !is_ordered(unit)) : chosen();
    if (!units.length) { said.textContent = "Choose a formation first."; return; }
    const where = box.querySelector("[data-where]").value.trim();
    const body = new FormData(form);
    body.delete("orders");
    const verb = box.querySelector("[data-verb]").value;
    for (const [name, value] of Object.entries({ units: units.join(" "), verb, goal: verb === "fire" ? "" : where, target: verb === "fire" ? where : "" })) body.set(name, value);
    const answer = await fetch(box.dataset.address, { method: "POST", body, credentials: "same-origin" });
    if (!answer.ok) { said.textContent = "The server could not propose anything for that."; return; }
    const { lines = [], left_out = [], remarks = [], objections = [] } = await answer.json();
    put(lines);
    const why = [...remarks, ...objections.map((objection) => objection.why)].join("; ");
    said.textContent = `${lines.length} ${lines.length === 1 ? "order" : "orders"} written.${left_out.length ? ` Left out: ${left_out.join(", ")}.` : ""}${why ? ` ${why}.` : ""}`;
  };

  if (box && area) {
    box.hidden = false;
    box.querySelector("[data-propose]").addEventListener("click", () => ask().catch(() => {}));
    area.addEventListener("input", count);
    count();
  }
}
