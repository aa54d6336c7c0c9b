// A shelf for lists, saved under a name in this browser. The server does not store it.
"use strict";

{
  const shelf = document.querySelector("[data-shelf]");
  const KEY = shelf?.dataset.shelf ?? "lists";
  const list = document.querySelector("#list");
  const points = document.querySelector("#points");

  const make = (name, { attributes = {}, ...properties } = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  const saved = () => {
    try {
      return JSON.parse(localStorage.getItem(KEY) ?? "{}");
    } catch {
      return {};
    }
  };
  const keep = (lists) => localStorage.setItem(KEY, JSON.stringify(lists));

  const button = (words, act, label) => {
    const made = make("button", { type: "button", className: "quiet", textContent: words, attributes: { "aria-label": label } });
    made.addEventListener("click", act);
    return made;
  };

  const row = ([name, { text, limit }]) => make("li", {}, make("strong", { textContent: name }), ` ${message_n("{n} point", "{n} points", Number(limit))} `, button(message("Open"), () => {
    list.value = text;
    points.value = limit;
    list.form.requestSubmit(list.form.querySelector('[value="check"]'));
  }, message("Open {name}", { name })), " ", button(message("Delete"), () => {
    const { [name]: gone, ...others } = saved();
    keep(others);
    show();
  }, message("Delete {name}", { name })));

  const show = () => {
    const rows = Object.entries(saved()).sort(([first], [second]) => first.localeCompare(second)).map(row);
    shelf.querySelector("ul").replaceChildren(...(rows.length ? rows : [make("li", { className: "dim", textContent: message("None yet.") })]));
  };

  if (shelf && list) {
    shelf.hidden = false;
    shelf.querySelector("button").addEventListener("click", () => {
      const name = shelf.querySelector("input").value.trim() || list.value.split("\n").slice(1, 3).join(", ").slice(0, 40) || message("List");
      keep({ ...saved(), [name]: { text: list.value, limit: points.value } });
      show();
    });
    show();
  }
}
