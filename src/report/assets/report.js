"use strict";
(function () {
  const search = document.getElementById("search");
  const shown = document.getElementById("shown");
  const boxes = Array.from(document.querySelectorAll("input[data-kind]"));
  const rows = Array.from(document.querySelectorAll("tr.row"));
  const texts = rows.map(function (row) {
    const detail = document.getElementById(row.dataset.detail);
    return (row.textContent + " " + (detail ? detail.textContent : "")).toLowerCase();
  });
  function setOpen(row, open) {
    const detail = document.getElementById(row.dataset.detail);
    const button = row.querySelector("button.open");
    if (!detail || !button) return;
    detail.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
  }
  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const off = new Set(boxes.filter(function (b) { return !b.checked; }).map(function (b) { return b.dataset.kind; }));
    let count = 0;
    rows.forEach(function (row, i) {
      const visible = !off.has(row.dataset.kind) && words.every(function (w) { return texts[i].includes(w); });
      row.hidden = !visible;
      if (!visible) setOpen(row, false);
      else count += 1;
    });
    shown.textContent = count + " of " + rows.length + " rows";
  }
  document.addEventListener("click", function (event) {
    const button = event.target.closest("button.open");
    if (button) setOpen(button.closest("tr"), button.getAttribute("aria-expanded") !== "true");
  });
  search.addEventListener("input", filter);
  boxes.forEach(function (b) { b.addEventListener("change", filter); });
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target && target.classList.contains("row")) setOpen(target, true);
  filter();
})();
